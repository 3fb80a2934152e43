import { type Estimate, estimate, type Observation } from '../attacks/estimate.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { BATCH_SENTENCES, lengthBuckets, paddedIds } from './batch.js';
import { drawTwins, type PairSource } from './pairs.js';
import { advantageLimits, negativeLogAffinity } from './unequal-noise.js';

/** Draws of the input noise a pair. */
const DRAWS = 8;

/**
 * No adversary of any kind is right more often than this on balanced pairs with one moved token,
 * judged one at a time: E[(1 + √(1 − BC²)) / 2], over one pair of every sentence that can make one.
 */
export function unequalNoiseLimit(
  representation: Representation,
  vocabulary: Vocabulary,
  source: PairSource,
  random: Random,
): Estimate {
  const observed: Observation[] = [];
  for (const { examples, steps, lengths } of lengthBuckets(
    [...source.positions.keys()],
    BATCH_SENTENCES,
  )) {
    const twins = drawTwins(examples, source, random).map(({ ids }) => ids);
    const firsts = examples.map(({ ids }) => ids);
    const advantages = new Float64Array(examples.length);
    for (let draw = 0; draw < DRAWS; draw++) {
      const values = tf.tidy(() => {
        const [x, twin] = [firsts, twins].map((sentences) =>
          representation.embed(vocabulary, paddedIds(sentences, steps), steps),
        );
        return advantageLimits(
          negativeLogAffinity(representation, x, twin, lengths, random),
        ).dataSync<'float32'>();
      });
      values.forEach((value, i) => {
        advantages[i] += value / DRAWS;
      });
    }
    examples.forEach(({ documentIndex }, i) => {
      observed.push({ documentIndex, value: (1 + advantages[i]) / 2 });
    });
  }
  return estimate(observed);
}
