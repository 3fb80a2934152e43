import type { PairEvidence } from '../networks/judge.js';
import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import { paddedIds } from '../training/batch.js';
import type { AuditTarget } from './target.js';

/** Pairs of sentences that the attacker holds, [P][T], and releases [P, T, d]. */
export function evidenceOf(
  { representation, vocabulary }: AuditTarget,
  held: readonly Int32Array[],
  released: tf.Tensor3D,
  random: Random,
): PairEvidence {
  const lengths = Int32Array.from(held, (ids) => ids.length);
  const steps = Math.max(...lengths);
  const x = representation.embed(vocabulary, paddedIds(held, steps), steps); // [P, T, E]
  const clean = representation.mean(x, lengths); // [P, T, d]
  return {
    embeddings: x,
    first: representation.forward(x, lengths, random),
    second: released,
    clean,
    residual: released.sub<tf.Tensor3D>(clean).div(representation.outputStddev()),
    lengths,
  };
}
