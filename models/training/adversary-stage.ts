import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { pairLoss, releaseWithPairs } from './adversarial-batch.js';
import { lengthBuckets, tokensOf } from './batch.js';
import type { TextExample } from './examples.js';
import type { Opponent } from './opponent.js';
import type { PairSource } from './pairs.js';
import type { Stage } from './stage.js';
import type { Step } from './step.js';
import { Verdicts } from './verdicts.js';

export interface AdversaryStageOptions {
  readonly name: string;
  readonly maxEpochs: number;
  readonly patience: number;
  readonly batchSentences: number;
  /** An adversary whose outputs spread less is taken for constant, and starts again. */
  readonly collapsedStddev: number;
}

/**
 * The adversary on l_adv against a frozen representation: P2 of three-phase training, and once
 * more where the representation changed after it. It trains on fresh pairs and noise in every epoch.
 */
export function adversaryStage(
  opponent: Opponent,
  representation: Representation,
  vocabulary: Vocabulary,
  pairs: { readonly train: PairSource; readonly validation: PairSource },
  { name, maxEpochs, patience, batchSentences, collapsedStddev }: AdversaryStageOptions,
): Stage {
  const { adversary, learner } = opponent;
  return {
    name,
    maxEpochs,
    patience,
    networks: { adversary: adversary.parameters },
    optimisers: { adversary: learner },
    tokensPerEpoch: tokensOf(pairs.train.positions.keys()),
    batches: (random) =>
      adversaryEpoch(opponent, representation, vocabulary, pairs.train, batchSentences, random),
    validate(random) {
      const verdicts = new Verdicts();
      const { validation } = pairs;
      const batches = pairBatches(representation, vocabulary, validation, batchSentences, random);
      for (const { draw } of batches) tf.tidy(() => verdicts.show(adversary, draw()));
      const { loss: l_adv, accuracy, stddev } = verdicts;
      return { l_adv, accuracy, stddev, monitor: l_adv };
    },
    counts: ({ stddev }) => !(stddev < collapsedStddev),
    remedy(random, _, { stddev }) {
      if (!(stddev < collapsedStddev)) return null;
      return {
        note: `${opponent.name} restarted: its output was constant`,
        apply() {
          opponent.restart(random);
          return [];
        },
      };
    },
  };
}

/** One epoch of the adversary alone, on every sentence that can make a pair. */
export function* adversaryEpoch(
  { adversary, learner }: Opponent,
  representation: Representation,
  vocabulary: Vocabulary,
  source: PairSource,
  batchSentences: number,
  random: Random,
): Iterable<Step> {
  const batches = pairBatches(representation, vocabulary, source, batchSentences, random);
  for (const { tokens, draw } of batches) {
    const run = () =>
      tf.tidy(() => {
        const batch = draw();
        return { l_adv: learner.step(() => pairLoss(adversary, batch)) };
      });
    yield { tokens, run };
  }
}

/** Sentences in batches of like length; `draw` inside a tidy. */
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
