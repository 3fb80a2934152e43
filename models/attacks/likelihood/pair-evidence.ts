import type { ComputedEvidence, PairEvidence } from '../../networks/judge.js';
import type { View } from '../../networks/view.js';
import { addGaussianNoise } from '../../tensor/gaussian-noise.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import { paddedIds } from '../../training/data/batch.js';
import type { AuditTarget } from '../target.js';

/** A sentence that the attacker holds, and which of its tokens may have moved. */
export interface HeldSentence {
  readonly ids: Int32Array;
  readonly movable: readonly number[];
}

/** Draws of the input noise over which an attacker takes the mean and variance of f. */
const DRAWS = 3;

/** The evidence on P pairs of a sentence that the attacker holds and a release [P, T, d]. */
export function evidenceOf(
  { representation, vocabulary }: AuditTarget,
  held: readonly HeldSentence[],
  released: tf.Tensor3D,
  random: Random,
): PairEvidence {
  const sentences = held.map(({ ids }) => ids);
  const lengths = Int32Array.from(sentences, (ids) => ids.length);
  const steps = Math.max(...lengths);
  const x = representation.embed(vocabulary, paddedIds(sentences, steps), steps); // [P, T, E]
  return {
    embeddings: x,
    first: representation.forward(x, lengths, random),
    second: released,
    lengths,
    computed: () => ({
      ...expectationOf(representation, x, lengths, released, random),
      movable: marks(held, steps), // [P, T, 1]
    }),
  };
}

/** The expected release of each sentence, and how many standard errors the real one is off, [P, T, d] each. */
function expectationOf(
  view: View,
  x: tf.Tensor3D,
  lengths: Int32Array,
  released: tf.Tensor3D,
  random: Random,
): Pick<ComputedEvidence, 'expected' | 'residual'> {
  const means = Array.from({ length: DRAWS }, () =>
    view.mean(addGaussianNoise(x, view.inputStddev(), random), lengths),
  );
  const expected = tf.addN(means).div<tf.Tensor3D>(DRAWS);
  const variance = tf.addN(means.map((mean) => mean.sub(expected).square())).div(DRAWS - 1);
  const noise = tf.sqrt(variance.add(view.outputStddev().square()));
  return { expected, residual: released.sub<tf.Tensor3D>(expected).div(noise) };
}

/** 1 at movable tokens, [P, T, 1]. */
function marks(held: readonly HeldSentence[], steps: number): tf.Tensor3D {
  const values = new Float32Array(held.length * steps);
  held.forEach(({ movable }, row) => {
    for (const position of movable) values[row * steps + position] = 1;
  });
  return tf.tensor3d(values, [held.length, steps, 1]);
}
