import { Random } from '../tensor/random.js';
import { TRAINED_DIGIT_LENGTHS } from './vocabulary.js';
import { isPunctuation } from './word-shape.js';

/** The same in every process: which words are made up is no secret. */
const SEED = 1;
const TRIES_A_WORD = 20;
const NUMBERS_A_LENGTH = 10;

/**
 * Up to `count` words that are not in `words`, each the beginning of one of them and the end of another:
 * what a name without a vector may look like to whoever reads its characters.
 */
export function madeUpWords(words: readonly string[], count: number): string[] {
  const random = new Random(SEED).fork('words');
  const known = new Set(words);
  const made = new Set<string>();
  const part = (from: number, to: number) => {
    const word = words[random.integer(words.length)] as string;
    return isPunctuation(word)
      ? ''
      : word.slice(Math.floor(from * word.length), Math.floor(to * word.length));
  };
  for (let tries = 0; made.size < count && tries < TRIES_A_WORD * count; tries++) {
    const word = (part(0, 0.5) + part(0.5, 1)).toLowerCase();
    if (word !== '' && !known.has(word)) made.add(word);
  }
  return [...made];
}

/** Numbers of every length that has a trained vector. */
export function madeUpNumbers(): string[] {
  const random = new Random(SEED).fork('numbers');
  return Array.from({ length: TRAINED_DIGIT_LENGTHS * NUMBERS_A_LENGTH }, (_, i) => {
    const length = 1 + Math.floor(i / NUMBERS_A_LENGTH);
    return Array.from({ length }, () => random.integer(10)).join('');
  });
}
