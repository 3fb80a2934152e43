import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Adversary } from '../networks/adversary.js';
import type { Deidentifier } from '../networks/deidentifier.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { releaseWithPairs } from './adversarial-batch.js';
import { deidentifierLoss } from './deidentifier-loss.js';
import type { TextExample } from './examples.js';
import { type PairSource, pairedBatches } from './pairs.js';
import { Verdicts } from './verdicts.js';

interface Networks {
  readonly representation: Representation;
  readonly deidentifier: Deidentifier;
  readonly adversaries: readonly Adversary[];
}

interface Notes {
  readonly examples: readonly TextExample[];
  readonly source: PairSource;
  readonly vocabulary: Vocabulary;
  readonly batchSentences: number;
}

export interface HeldOut {
  /** The mean over tokens. */
  readonly l_deid: number;
  /** Of each adversary, over one pair of every sentence that can make one. */
  readonly verdicts: readonly Verdicts[];
}

/** How de-identifier and adversaries do on notes that they do not train on, without dropout. */
export function heldOut(
  { representation, deidentifier, adversaries }: Networks,
  { examples, source, vocabulary, batchSentences }: Notes,
  random: Random,
): HeldOut {
  const verdicts = adversaries.map(() => new Verdicts());
  let sum = 0;
  let tokens = 0;
  for (const { batch, wanted } of pairedBatches(examples, source, batchSentences, random)) {
    tf.tidy(() => {
      const drawn = releaseWithPairs(representation, vocabulary, batch, wanted, source, random);
      const l_deid = deidentifierLoss(deidentifier, drawn.releases, batch);
      sum += batch.tokens * l_deid.dataSync<'float32'>()[0];
      adversaries.forEach((adversary, i) => {
        verdicts[i].show(adversary, drawn);
      });
    });
    tokens += batch.tokens;
  }
  return { l_deid: sum / tokens, verdicts };
}
