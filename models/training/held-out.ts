import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { releaseWithPairs } from './adversarial-batch.js';
import type { TextExample } from './data/examples.js';
import { type PairSource, pairedBatches } from './data/pairs.js';
import { releasedLoss } from './deidentifier-loss.js';
import { PairAnswers } from './pair-answers.js';
import type { ThreePhaseNetworks } from './three-phase-data.js';

interface Notes {
  readonly examples: readonly TextExample[];
  readonly source: PairSource;
  readonly vocabulary: Vocabulary;
  readonly batchSentences: number;
}

export interface HeldOut {
  /** The mean over tokens. */
  readonly l_deid: number;
  /** The adversary's, about one pair of every sentence that can make one. */
  readonly answers: PairAnswers;
}

/** How de-identifier and adversary do on notes that they do not train on, without dropout. */
export function heldOut(
  { representation, deidentifier, adversary }: ThreePhaseNetworks,
  { examples, source, vocabulary, batchSentences }: Notes,
  random: Random,
): HeldOut {
  const answers = new PairAnswers();
  let sum = 0;
  let tokens = 0;
  for (const { batch, wanted } of pairedBatches(examples, source, batchSentences, random)) {
    tf.tidy(() => {
      const drawn = releaseWithPairs(representation, vocabulary, batch, wanted, source, random);
      const l_deid = releasedLoss(deidentifier, drawn.releases, batch, vocabulary);
      sum += batch.tokens * l_deid.dataSync<'float32'>()[0];
      answers.add(adversary, drawn);
    });
    tokens += batch.tokens;
  }
  return { l_deid: sum / tokens, answers };
}
