import type { PatternMatch, Recogniser } from './recogniser.js';

const START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?=[ -]?[A-Z0-9])/gu;
const NEXT = /[ -]?[A-Z0-9]/y;
/** ISO 13616-1: 15 characters in Norway, at most 34. */
const [SHORTEST, LONGEST] = [15, 34];

/** The longest number from each start whose check digits are right. */
function* find(text: string): Generator<PatternMatch> {
  for (const { index: start } of text.matchAll(START)) {
    const end = endOf(text, start);
    if (end !== undefined) yield { start, end, score: 1, pattern: 'account number' };
  }
}

function endOf(text: string, start: number): number | undefined {
  let end: number | undefined;
  let characters = '';
  NEXT.lastIndex = start;
  for (let next = NEXT.exec(text); next && characters.length < LONGEST; next = NEXT.exec(text)) {
    characters += next[0].replace(/[ -]/, '');
    const at = next.index + next[0].length;
    if (characters.length >= SHORTEST && !/[\p{L}\p{N}]/u.test(text[at] ?? ' '))
      if (hasCheckDigits(characters)) end = at;
  }
  return end;
}

/** ISO/IEC 7064, MOD 97-10: the first four characters last, letters as 10 to 35. */
function hasCheckDigits(characters: string): boolean {
  let remainder = 0;
  for (const character of characters.slice(4) + characters.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

export const IBAN: Recogniser = {
  name: 'IbanRecognizer',
  type: 'IBAN_CODE',
  context: ['iban', 'bank', 'account', 'cuenta'],
  find,
};
