import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { pairLoss, releaseWithPairs } from './adversarial-batch.js';
import { lengthBuckets, tokensOf } from './data/batch.js';
import type { TextExample } from './data/examples.js';
import type { PairSource } from './data/pairs.js';
import type { Opponent } from './opponent.js';
import { PairAnswers } from './pair-answers.js';
import type { Stage } from './run/stage.js';
import type { Step } from './run/step.js';

export interface AdversaryStageOptions {
  readonly name: string;
  readonly maxEpochs: number;
  readonly patience: number;
  readonly batchSentences: number;
  /** An adversary whose outputs spread less is taken for constant, and starts again. */
  readonly collapsedStddev: number;
}

/** What the adversary learns to see through, and the sentences that it learns from. */
export interface AdversaryData {
  readonly representation: Representation;
  readonly vocabulary: Vocabulary;
  readonly source: PairSource;
  readonly batchSentences: number;
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
  const train = { representation, vocabulary, source: pairs.train, batchSentences };
  const validation = { ...train, source: pairs.validation };
  return {
    name,
    maxEpochs,
    patience,
    networks: { adversary: adversary.parameters },
    optimisers: { adversary: learner },
    tokensPerEpoch: tokensOf(pairs.train.positions.keys()),
    batches: (random) => adversaryEpoch(opponent, train, random),
    validate(random) {
      const answers = new PairAnswers();
      for (const { draw } of pairBatches(validation, random))
        tf.tidy(() => answers.add(adversary, draw()));
      const { loss: l_adv, accuracy, stddev } = answers;
      return { l_adv, accuracy, stddev, monitor: l_adv };
    },
    counts: ({ stddev }) => !(stddev < collapsedStddev),
    remedy: (random, _, metrics) =>
      opponent.remedy(metrics, collapsedStddev, () => {
        opponent.restart(random);
        return [];
      }),
  };
}

/** One epoch of the adversary alone, on every sentence that can make a pair. */
export function* adversaryEpoch(
  { adversary, learner }: Opponent,
  data: AdversaryData,
  random: Random,
): Iterable<Step> {
  for (const { tokens, draw } of pairBatches(data, random)) {
    const run = () =>
      tf.tidy(() => {
        const batch = draw();
        return { l_adv: learner.step(() => pairLoss(adversary, batch)) };
      });
    yield { tokens, run };
  }
}

/** So many epochs of the adversary alone, each with randomness of its own. */
export function* adversaryEpochs(
  count: number,
  opponent: Opponent,
  data: AdversaryData,
  random: Random,
): Iterable<Step> {
  for (let epoch = 0; epoch < count; epoch++)
    yield* adversaryEpoch(opponent, data, random.fork(`epoch-${epoch}`));
}

/** Sentences in batches of like length; `draw` inside a tidy. */
function* pairBatches(
  { representation, vocabulary, source, batchSentences }: AdversaryData,
  random: Random,
) {
  const examples: TextExample[] = [...source.positions.keys()];
  for (const batch of lengthBuckets(examples, batchSentences, random)) {
    const size = batch.examples.length;
    const draw = () => releaseWithPairs(representation, vocabulary, batch, size, source, random);
    yield { tokens: batch.tokens, draw };
  }
}
