import { setImmediate } from 'node:timers/promises';
import type { Random } from '../../tensor/random.js';
import type { GuessedTexts } from './guessed-texts.js';
import type { WordTable } from './word-table.js';

/** Replacements, and as many exchanges, that are tried before they are ranked again where one was kept. */
const AT_ONCE = 8;
/** Of a token; what is ranked after these is seldom better. */
const RANKED = 32;

interface Replacement {
  readonly text: number;
  readonly position: number;
  readonly word: number;
  /** What D changes by to the first order. */
  readonly slope: number;
}

/**
 * Tries at most `moves` moves of words, and keeps each that brings the gradient nearer to the update: a word becomes
 * another of the table, those first by which D falls most to the first order (Ebrahimi et al. 2018, HotFlip), or two
 * of a text change places, which is among the moves of LAMP (Balunović et al. 2022).
 */
export async function moveWords(
  guess: GuessedTexts,
  table: WordTable,
  moves: number,
  random: Random,
  signal?: AbortSignal,
): Promise<void> {
  let ranked = rankedReplacements(guess, table);
  let left = moves;
  while (left > 0) {
    const replaced = ranked.splice(0, AT_ONCE).map(({ text, position, word }) => () => {
      const words = Int32Array.from(guess.words[text] as Int32Array);
      words[position] = word;
      return guess.takeIfNearer(text, words);
    });
    const exchanged = Array.from({ length: AT_ONCE }, () => () => exchangeTwo(guess, random));
    let kept = false;
    for (const move of [...replaced, ...exchanged].slice(0, left)) {
      signal?.throwIfAborted();
      await setImmediate();
      kept = move() || kept;
    }
    left -= replaced.length + exchanged.length;
    if (kept && left > 0) ranked = rankedReplacements(guess, table);
  }
}

/** The best of each token, those first that promise most. */
function rankedReplacements(guess: GuessedTexts, table: WordTable): Replacement[] {
  return guess.words
    .flatMap((words, text) => {
      const slopes = guess.slopes(text);
      const E = slopes.length / Math.max(words.length, 1);
      return Array.from(words).flatMap((word, position) => {
        const products = table.productsWith(slopes.subarray(position * E, (position + 1) * E));
        const own = products[word] as number;
        return lowest(products, RANKED + 1)
          .filter((other) => other !== word)
          .map((other) => ({
            ...{ text, position, word: other },
            slope: (products[other] as number) - own,
          }));
      });
    })
    .sort((a, b) => a.slope - b.slope);
}

/** The places of the `count` lowest values. */
function lowest(values: Float32Array, count: number): number[] {
  const order = Array.from(values.keys()).sort(
    (a, b) => (values[a] as number) - (values[b] as number),
  );
  return order.slice(0, count);
}

function exchangeTwo(guess: GuessedTexts, random: Random): boolean {
  const text = random.integer(guess.words.length);
  const words = Int32Array.from(guess.words[text] as Int32Array);
  if (words.length < 2) return false;
  const [one, other] = [random.integer(words.length), random.integer(words.length)];
  if (words[one] === words[other]) return false;
  [words[one], words[other]] = [words[other] as number, words[one] as number];
  return guess.takeIfNearer(text, words);
}
