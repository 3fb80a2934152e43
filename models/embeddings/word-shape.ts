const DIGITS = /^\p{Nd}+$/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export function isDigitsOnly(word: string): boolean {
  return DIGITS.test(word);
}

/** No letter and no digit. */
export function isPunctuation(word: string): boolean {
  return !LETTER_OR_DIGIT.test(word);
}
