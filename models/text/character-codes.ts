/** Latin with its supplement and Extended-A have a code each; all other characters share one. */
const OWN_CODES = 0x180;
const PADDING = 0;
const OTHER = 1;

/** A, how many codes there are: padding, the characters without a code, and those with one. */
export const CHARACTER_CODES = 2 + OWN_CODES;

/** S, the characters that a model sees of a word; of a longer one its beginning and its end. */
export const CODES_A_WORD = 20;

/** The codes of a word's characters, 1 to A − 1, then padding, 0, into `codes` [S]. */
export function writeCodes(word: string, codes: Uint16Array): void {
  const characters = Array.from(word);
  const half = codes.length / 2;
  const seen =
    characters.length > codes.length
      ? [...characters.slice(0, half), ...characters.slice(-half)]
      : characters;
  codes.fill(PADDING);
  for (const [i, character] of seen.entries()) codes[i] = codeOf(character);
}

/** How many of the `codes` [S] of a word are characters. */
export function codeCount(codes: Uint16Array | Int32Array): number {
  const end = codes.indexOf(PADDING);
  return end < 0 ? codes.length : end;
}

function codeOf(character: string): number {
  const point = character.codePointAt(0) as number;
  return point < OWN_CODES ? OTHER + 1 + point : OTHER;
}
