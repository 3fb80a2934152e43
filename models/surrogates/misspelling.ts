import type { Draws } from './draws.js';

/** Shorter words are written as they are. */
const LEAST_LETTERS = 4;

/** A word with one slip of the hand: two letters swapped, one left out, doubled, or struck beside. */
export function misspelt(word: string, draws: Draws): string {
  const letters = [...word];
  if (letters.length < LEAST_LETTERS) return word;
  // The first letter is hardly ever mistaken.
  const at = 1 + draws.integer(letters.length - 2);
  const slip = SLIPS[draws.integer(SLIPS.length)] as Slip;
  const [here, next] = [letters[at] as string, letters[at + 1] as string];
  letters.splice(at, 2, ...slip(here, next, draws));
  return letters.join('');
}

type Slip = (here: string, next: string, draws: Draws) => readonly string[];

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

const SLIPS: readonly Slip[] = [
  (here, next) => [next, here],
  (_here, next) => [next],
  (here, next) => [here, here, next],
  (_here, next, draws) => [ALPHABET[draws.integer(ALPHABET.length)] as string, next],
];
