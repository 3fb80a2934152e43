/** Words of a holder's texts that gradient inversion puts where they stood. */

import { composedWord } from '../../embeddings/composed-word.js';
import type { Embeddings } from '../../embeddings/embeddings.js';
import type { LocalConfig } from '../../federation/local-training.js';
import type { WeightUpdate } from '../../federation/weight-update.js';
import type { TextNetwork } from '../../networks/text-network.js';
import { type Estimate, estimate, type Observation } from '../../statistics/estimate.js';
import type { Random } from '../../tensor/random.js';
import { type InversionConfig, invertGradient } from './gradient-inversion.js';
import { GradientMatch } from './gradient-match.js';
import type { HeldText } from './held-text.js';
import { WordSpan } from './word-span.js';
import { WordTable } from './word-table.js';

export interface InvertedWords {
  /** Of all words the share that stands where it stood. */
  readonly all: Estimate;
  /** The same by an update of other texts. */
  readonly allBlind: Estimate;
  /** Of labelled words. */
  readonly phi: Estimate;
  readonly phiBlind: Estimate;
  readonly words: number;
  readonly phiWords: number;
}

/** One word: 1 where it was found in its place, whatever its casing. */
export interface InvertedWord extends Observation {
  readonly phi: boolean;
}

interface InversionOptions extends InversionConfig {
  readonly network: TextNetwork;
  readonly embeddings: Embeddings;
  readonly training: LocalConfig;
}

/** Words that are looked among: so many for each token of the texts, those that the update spans best. */
const WORDS_A_TOKEN = 4;
const MOST_WORDS = 1000;

/**
 * Inverts an update as one of texts whose sentences are as long as these and labelled as these, which is all that
 * an attacker is told of them. A word that the vocabulary lacks cannot be found.
 */
export async function invertedWords(
  update: WeightUpdate,
  texts: readonly HeldText[],
  options: InversionOptions,
  random: Random,
  signal?: AbortSignal,
): Promise<InvertedWord[]> {
  const { network, embeddings, training } = options;
  const shapes = texts.map(({ text }) => text.map(({ labels }) => labels));
  const tokens = shapes.flat().reduce((sum, { length }) => sum + length, 0);
  const count = Math.min(WORDS_A_TOKEN * tokens, MOST_WORDS);
  const span = new WordSpan(network, update, embeddings.dimension);
  const table = new WordTable(embeddings, span.likeliest(embeddings, count));
  const match = new GradientMatch(network, update, training.loss);
  const own = random.fork('inversion');
  const { words } = await invertGradient(match, shapes, table, options, own, signal);
  return texts.flatMap(({ documentIndex, text }, i) => {
    const found = words[i] as Int32Array;
    const labels = text.flatMap((sentence) => [...sentence.labels]);
    return text
      .flatMap((sentence) => sentence.tokens)
      .map((token, t) => {
        const row = embeddings.row(composedWord(token.text, embeddings));
        const value = Number(row >= 0 && table.rows[found[t] as number] === row);
        return { documentIndex, value, phi: labels[t] !== 0 };
      });
  });
}

/** Null where nothing was inverted. */
export function invertedWordsOf(
  words: readonly InvertedWord[],
  blind: readonly InvertedWord[],
): InvertedWords | null {
  if (words.length === 0) return null;
  const phi = words.filter((each) => each.phi);
  return {
    ...{ all: estimate(words), allBlind: estimate(blind) },
    ...{ phi: estimate(phi), phiBlind: estimate(blind.filter((each) => each.phi)) },
    ...{ words: words.length, phiWords: phi.length },
  };
}
