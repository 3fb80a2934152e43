import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Adversary } from '../networks/adversary.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { type AdversarialBatch, pairLoss, releaseWithPairs } from './adversarial-batch.js';
import { lengthBuckets, tokensOf } from './batch.js';
import type { TextExample } from './examples.js';
import { Learner, type LearnerOptions } from './learner.js';
import type { PairSource } from './pairs.js';
import type { Stage } from './stage.js';
import { Verdicts } from './verdicts.js';

export interface AdversaryStageOptions {
  readonly name: string;
  readonly maxEpochs: number;
  readonly patience: number;
  readonly batchSentences: number;
  readonly learner: LearnerOptions;
}

/**
 * The adversary on l_adv against a frozen representation: P2 of three-phase training, and once
 * more where the representation changed after it. It trains on fresh pairs and noise in every epoch.
 */
export function adversaryStage(
  adversary: Adversary,
  representation: Representation,
  vocabulary: Vocabulary,
  pairs: { readonly train: PairSource; readonly validation: PairSource },
  options: AdversaryStageOptions,
): Stage {
  const { batchSentences } = options;
  const learner = new Learner([adversary.parameters], options.learner);
  const loss = (batch: AdversarialBatch) => pairLoss(adversary, batch);
  return {
    name: options.name,
    maxEpochs: options.maxEpochs,
    patience: options.patience,
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
      const verdicts = new Verdicts();
      const batches = pairBatches(
        representation,
        vocabulary,
        pairs.validation,
        batchSentences,
        random,
      );
      for (const { draw } of batches) tf.tidy(() => verdicts.show(adversary, draw()));
      const { loss: l_adv, accuracy, stddev } = verdicts;
      return { l_adv, accuracy, stddev, monitor: l_adv };
    },
  };
}

/** Every sentence that can make a pair once, in batches of like length; `draw` inside a tidy. */
function* pairBatches(
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
    yield { tokens: batch.tokens, draw };
  }
}
