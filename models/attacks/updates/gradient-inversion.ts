import { setImmediate } from 'node:timers/promises';
import { Adam } from '../../tensor/optimiser.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import type { GradientMatch } from './gradient-match.js';
import { GuessedTexts, type TextShape } from './guessed-texts.js';
import { moveWords } from './word-moves.js';
import type { WordTable } from './word-table.js';

export interface InversionConfig {
  /** Guesses of words by chance, of which the one nearest to the update is gone on with. */
  readonly restarts: number;
  /** How often vectors are moved, and words after them. */
  readonly rounds: number;
  /** Steps of Adam on the vectors, a round; each costs three gradients of all texts. */
  readonly steps: number;
  readonly learningRate: number;
  /** Moves of words that are tried, a round; each costs a gradient of one text. */
  readonly moves: number;
}

export const INVERSION_DEFAULTS: InversionConfig = {
  ...{ restarts: 5, rounds: 2, steps: 20, learningRate: 0.05, moves: 200 },
};

export interface Inversion {
  /** Of each text its words, one after another, as places in the table. */
  readonly words: readonly Int32Array[];
  /** How unlike the update their gradient is, 0 to 2. */
  readonly distance: number;
}

/**
 * The words of all texts of an update at once, by who knows how long their sentences are and how they are labelled.
 * Vectors are moved until their gradient is like the update (Zhu et al. 2019, DLG), and each is taken for
 * the nearest word; then words are moved one by one, as in LAMP (Balunović et al. 2022). What is nearest to the
 * update is kept. The network is left with its own weights.
 */
export async function invertGradient(
  match: GradientMatch,
  shapes: readonly TextShape[],
  table: WordTable,
  config: InversionConfig,
  random: Random,
  signal?: AbortSignal,
): Promise<Inversion> {
  let guess = await firstGuess(match, shapes, table, config, random, signal);
  for (let round = 0; round < config.rounds; round++) {
    const words = await nearestWords(match, guess, table, config, signal);
    const nearest = new GuessedTexts(match, shapes, table, words);
    if (nearest.distance < guess.distance) guess = nearest;
    await moveWords(guess, table, config.moves, random, signal);
  }
  return { words: guess.words, distance: guess.distance };
}

async function firstGuess(
  match: GradientMatch,
  shapes: readonly TextShape[],
  table: WordTable,
  { restarts }: InversionConfig,
  random: Random,
  signal?: AbortSignal,
): Promise<GuessedTexts> {
  const drawn = () =>
    shapes.map((shape) => {
      const tokens = shape.reduce((sum, { length }) => sum + length, 0);
      return Int32Array.from({ length: tokens }, () => random.integer(table.size));
    });
  let best = new GuessedTexts(match, shapes, table, drawn());
  for (let restart = 1; restart < restarts; restart++) {
    await turn(signal);
    const guess = new GuessedTexts(match, shapes, table, drawn());
    if (guess.distance < best.distance) best = guess;
  }
  return best;
}

/** Of vectors that begin at those of the words of a guess, whose characters and casing stay. */
async function nearestWords(
  match: GradientMatch,
  guess: GuessedTexts,
  table: WordTable,
  { steps, learningRate }: InversionConfig,
  signal?: AbortSignal,
): Promise<Int32Array[]> {
  const texts = guess.texts();
  const variables = guess.words.map((words) =>
    tf.tidy(() => tf.variable(tf.tensor1d(table.vectorsOf(words)))),
  );
  const optimiser = new Adam(variables, { learningRate });
  try {
    for (let step = 0; step < steps; step++) {
      const vectors = variables.map((each) => each.dataSync<'float32'>());
      const gradients: Float32Array[] = [];
      for (const [i, text] of texts.entries()) {
        await turn(signal);
        gradients.push(match.gradient(text, vectors[i] as Float32Array));
      }
      const v = match.byGradient(match.sum(gradients));
      const slopes: [string, Float32Array][] = [];
      for (const [i, text] of texts.entries()) {
        await turn(signal);
        const { name } = variables[i] as tf.Variable;
        slopes.push([name, match.byVectors(text, vectors[i] as Float32Array, v)]);
      }
      tf.tidy(() => {
        const tensors = slopes.map(([name, slope]) => [name, tf.tensor1d(slope)] as const);
        optimiser.apply(Object.fromEntries(tensors));
      });
    }
    return variables.map((each) => table.nearest(each.dataSync<'float32'>()));
  } finally {
    optimiser.dispose();
    tf.dispose(variables);
  }
}

/** Lets others have a turn between two gradients. */
async function turn(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await setImmediate();
}
