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

/** The casing of a word, 0-6. The first that fits, in the order of `CASINGS`. */
export function casingOf(word: string): number {
  let characters = 0;
  let digits = 0;
  let lower = 0;
  let upper = 0;
  for (let at = 0; at < word.length; ) {
    const code = word.codePointAt(at) as number;
    if (code < 0x80) {
      if (code >= 0x30 && code <= 0x39) digits++;
      else if (code >= 0x61 && code <= 0x7a) lower++;
      else if (code >= 0x41 && code <= 0x5a) upper++;
    } else {
      const character = String.fromCodePoint(code);
      if (/\p{Lowercase}/u.test(character)) lower++;
      else if (/[\p{Uppercase}\p{Lt}]/u.test(character)) upper++;
      else if (/\p{Nd}/u.test(character)) digits++;
    }
    characters++;
    at += code > 0xffff ? 2 : 1;
  }
  if (digits > 0 && digits === characters) return NUMERIC;
  if (digits > characters / 2) return MAINLY_NUMERIC;
  if (lower > 0 && upper === 0) return ALL_LOWER;
  if (upper > 0 && lower === 0) return ALL_UPPER;
  if (upper > 0 && /^[\p{Uppercase}\p{Lt}]/u.test(word)) return INITIAL_UPPER;
  return digits > 0 ? CONTAINS_DIGIT : OTHER;
}
