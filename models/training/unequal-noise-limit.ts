import { LEAST_ACCURACY } from '../certification/accuracy.js';
import { unequalNoiseLimits } from '../certification/unequal-noise.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Representation } from '../networks/representation.js';
import { type Estimate, estimate, type Observation } from '../statistics/estimate.js';
import { type Origins, ofOrigins } from '../statistics/origins.js';
import type { Random } from '../tensor/random.js';
import { BATCH_SENTENCES, lengthBuckets, paddedIds } from './data/batch.js';
import { drawTwins, type PairSource } from './data/pairs.js';

/** Draws of the input noise a pair. */
const DRAWS = 8;

/** Sentences of one batch, their twins, and the draws of the input noise a pair. */
interface Pairs {
  readonly sentences: readonly Int32Array[];
  readonly twins: readonly Int32Array[];
  readonly draws: number;
}

/**
 * No adversary of any kind is right more often than this on balanced pairs with one moved token,
 * judged one at a time: E[(1 + √(1 − BC²)) / 2], over one pair of every sentence that can make one.
 * `origins` are those of the sentences' documents, each of which is one by itself where they are left out.
 */
export function unequalNoiseLimit(
  representation: Representation,
  vocabulary: Vocabulary,
  source: PairSource,
  random: Random,
  origins?: Origins,
): Estimate {
  const observed: Observation[] = [];
  for (const { examples } of lengthBuckets([...source.positions.keys()], BATCH_SENTENCES)) {
    const twins = drawTwins(examples, source, random).map(({ ids }) => ids);
    const pairs = { sentences: examples.map(({ ids }) => ids), twins, draws: DRAWS };
    const limits = pairLimits(representation, vocabulary, pairs, random);
    examples.forEach(({ documentIndex }, i) => {
      observed.push({ documentIndex, value: limits[i] });
    });
  }
  return estimate(ofOrigins(observed, origins), 1, LEAST_ACCURACY);
}

/** The limit of each pair of a batch. */
export function pairLimits(
  representation: Representation,
  vocabulary: Vocabulary,
  { sentences, twins, draws }: Pairs,
  random: Random,
): Float64Array {
  const lengths = Int32Array.from(sentences, ({ length }) => length);
  const steps = Math.max(...lengths);
  const embed = (ids: readonly Int32Array[]) =>
    representation.embed(vocabulary, paddedIds(ids, steps), steps);
  const both = () => [embed(sentences), embed(twins)] as const;
  return unequalNoiseLimits(representation, both, lengths, draws, random);
}
