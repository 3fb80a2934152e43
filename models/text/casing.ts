/** The casing feature of Reimers & Gurevych 2017; a casing is coded by its place in this list. */
export const CASINGS = [
  'numeric',
  'mainly numeric',
  'all lower',
  'all upper',
  'initial upper',
  'contains digit',
  'other',
] as const;

const NUMERIC = 0;
const MAINLY_NUMERIC = 1;
const ALL_LOWER = 2;
const ALL_UPPER = 3;
const INITIAL_UPPER = 4;
const CONTAINS_DIGIT = 5;
const OTHER = 6;

const NEITHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/** Latin, Greek and Cyrillic: all but the rarest letters of a note. */
const TABLE = Uint8Array.from({ length: 0x600 }, (_, code) => classify(code));

/** The casing of a word, 0-6. The first that fits, in the order of `CASINGS`. */
export function casingOf(word: string): number {
  let characters = 0;
  let digits = 0;
  let lower = 0;
  let upper = 0;
  let first = NEITHER;
  for (let at = 0; at < word.length; ) {
    const code = word.codePointAt(at) as number;
    const kind = code < TABLE.length ? (TABLE[code] as number) : classify(code);
    if (at === 0) first = kind;
    if (kind === LOWER) lower++;
    else if (kind === UPPER) upper++;
    else if (kind === DIGIT) digits++;
    characters++;
    at += code > 0xffff ? 2 : 1;
  }
  if (digits > 0 && digits === characters) return NUMERIC;
  if (digits > characters / 2) return MAINLY_NUMERIC;
  if (lower > 0 && upper === 0) return ALL_LOWER;
  if (upper > 0 && lower === 0) return ALL_UPPER;
  if (first === UPPER) return INITIAL_UPPER;
  return digits > 0 ? CONTAINS_DIGIT : OTHER;
}

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (/\p{Lowercase}/u.test(character)) return LOWER;
  if (/[\p{Uppercase}\p{Lt}]/u.test(character)) return UPPER;
  return /\p{Nd}/u.test(character) ? DIGIT : NEITHER;
}
