import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Adversary, AdversaryTask } from '../networks/adversary.js';
import { adversaryLoss } from '../networks/adversary.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { type AdversarialBatch, releaseWithPairs } from './adversarial-batch.js';
import { lengthBuckets, tokensOf } from './batch.js';
import type { TextExample } from './examples.js';
import { Learner, type LearnerOptions } from './learner.js';
import type { PairSource } from './pairs.js';
import type { Stage } from './stage.js';

export interface AdversaryStageOptions {
  readonly name: string;
  readonly maxEpochs: number;
  readonly patience: number;
  readonly batchSentences: number;
  readonly learner: LearnerOptions;
  readonly task?: AdversaryTask;
  /** Whether the adversary that learns on may stay as it is, where it gets no better. */
  readonly startCounts?: boolean;
}

/**
 * The adversary on l_adv against a frozen representation: P2 of three-phase training, and the audit
 * that goes on after the freeze. Pairs and noise are drawn afresh in every epoch.
 */
export function adversaryStage(
  adversary: Adversary,
  representation: Representation,
  vocabulary: Vocabulary,
  pairs: { readonly train: PairSource; readonly validation: PairSource },
  options: AdversaryStageOptions,
): Stage {
  const { task = 'both', batchSentences } = options;
  const learner = new Learner([adversary.parameters], options.learner);
  const loss = ({ pairs, real }: AdversarialBatch) =>
    adversaryLoss(adversary.probabilities(pairs, task), real);
  return {
    name: options.name,
    maxEpochs: options.maxEpochs,
    patience: options.patience,
    startCounts: options.startCounts ?? false,
    networks: { adversary: adversary.parameters },
    optimisers: { adversary: learner },
    tokensPerEpoch: tokensOf(pairs.train.positions.keys()),
    *batches(random) {
      const batches = pairBatches(representation, vocabulary, pairs.train, batchSentences, random);
      for (const { tokens, draw } of batches) {
        const run = () =>
          tf.tidy(() => {
            const batch = draw();
            return { l_adv: learner.step(() => loss(batch)) };
          });
        yield { tokens, run };
      }
    },
    validate(random) {
      let sum = 0;
      let sentences = 0;
      const batches = pairBatches(
        representation,
        vocabulary,
        pairs.validation,
        batchSentences,
        random,
      );
      for (const { size, draw } of batches) {
        sum += size * tf.tidy(() => loss(draw()).dataSync<'float32'>()[0]);
        sentences += size;
      }
      return { l_adv: sum / sentences, monitor: sum / sentences };
    },
  };
}

/** Every sentence that can make a pair once, in batches of like length; `draw` inside a tidy. */
export function* pairBatches(
  representation: Representation,
  vocabulary: Vocabulary,
  source: PairSource,
  batchSentences: number,
  random: Random,
) {
  const examples: TextExample[] = [...source.positions.keys()];
  for (const batch of lengthBuckets(examples, batchSentences, random)) {
    const size = batch.examples.length;
    const draw = () => releaseWithPairs(representation, vocabulary, batch, size, source, random);
    yield { examples: batch.examples, size, tokens: batch.tokens, draw };
  }
}
