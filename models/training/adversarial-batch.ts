import type { Vocabulary } from '../embeddings/vocabulary.js';
import { type Adversary, adversaryLoss, type PairBatch } from '../networks/adversary.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { type Batch, paddedIds } from './data/batch.js';
import type { TextExample } from './data/examples.js';
import { drawPairs, type PairSource } from './data/pairs.js';

/** One draw of the representation for a batch whose first P sentences make pairs. */
export interface AdversarialBatch {
  /** R(x) of every sentence, [B, T, d]; the pairs' first elements are its first P rows. */
  readonly releases: tf.Tensor3D;
  readonly pairs: PairBatch;
  /** [P] 1 = real. */
  readonly real: Float32Array;
}

/**
 * Releases B sentences, and for the first `paired` of them a second element: in one pass of the
 * representation over B + P rows, every row with noise of its own.
 */
export function releaseWithPairs(
  representation: Representation,
  vocabulary: Vocabulary,
  batch: Batch<TextExample>,
  paired: number,
  source: PairSource,
  random: Random,
): AdversarialBatch {
  const { examples, steps, lengths } = batch;
  const B = examples.length;
  const { inputDimension: I } = representation;
  const { dimension: d } = representation.config;
  const second = drawPairs(examples.slice(0, paired), source, random);
  const ids = paddedIds([...examples.map((example) => example.ids), ...second.ids], steps);
  const pairLengths = lengths.slice(0, paired);
  const allLengths = Int32Array.from([...lengths, ...pairLengths]);
  const x = representation.embed(vocabulary, ids, steps); // [B + P, T, I]
  const r = representation.forward(x, allLengths, random); // [B + P, T, d]
  return {
    releases: r.slice([0, 0, 0], [B, steps, d]),
    pairs: {
      embeddings: constant(x.slice([0, 0, 0], [paired, steps, I])),
      first: r.slice([0, 0, 0], [paired, steps, d]),
      second: r.slice([B, 0, 0], [paired, steps, d]),
      lengths: pairLengths,
    },
    real: second.real,
  };
}

/** E(x) is what the adversary knows: no gradient may reach the trained vectors through it. */
function constant(x: tf.Tensor3D): tf.Tensor3D {
  return tf.tensor3d(x.dataSync<'float32'>(), x.shape);
}

/** l_adv of one batch of pairs, a scalar. */
export function pairLoss(adversary: Adversary, batch: AdversarialBatch): tf.Scalar {
  return adversaryLoss(adversary.probabilities(batch.pairs), batch.real);
}
