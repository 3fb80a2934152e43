export const SPACE = 0;
export const LETTER = 1;
export const DIGIT = 2;
/** Punctuation, symbols, controls and anything else: a token of its own. */
const OTHER = 3;
/** Combining marks and invisible format characters: part of the character before them. */
export const EXTENDER = 4;

/** Latin, Greek, Cyrillic and general punctuation: all but the rarest characters of a note. */
const TABLE_SIZE = 0x3000;
const TABLE = Uint8Array.from({ length: TABLE_SIZE }, (_, code) => classify(code));

/** The class of a Unicode code point, by its general category. */
export function characterClass(code: number): number {
  return code < TABLE_SIZE ? (TABLE[code] as number) : classify(code);
}

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (/[\s\u0085]/u.test(character)) return SPACE;
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{Nd}/u.test(character)) return DIGIT;
  if (/[\p{M}\p{Cf}]/u.test(character)) return EXTENDER;
  return OTHER;
}
