import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import { type AttentionInputs, referenceAttention } from './reference/attention.js';
import { checkFloats, checkShapes, extremesOf } from './shape-check.js';
import * as tf from './tf.js';

/**
 * Multi-head attention softmax(q k' / √D + distances) v (Vaswani et al. 2017, sections 3.2.1 and 3.2.2,
 * without its projections) of sentences at their true `lengths` [B]: [B, T, W], zero beyond each length.
 * Queries and keys stand at the same places of the same sentence, and every query sees every key of it.
 * Differentiable once. Throws `tensor-invalid` for shapes and lengths that do not fit.
 */
export function attention(
  { queries, keys, values, distances }: AttentionInputs,
  lengths: Int32Array,
): tf.Tensor3D {
  const inputs = { queries, keys, values, distances };
  requireAttentionShapes(inputs, lengths);
  checkFloats('attention', inputs);
  // A copy: the backward pass reads the lengths again, and the caller may have changed them.
  const own = lengths.slice();
  const result = hasKernel('Attention')
    ? fused(inputs, own)
    : tf.tidy(() => referenceAttention(inputs, own));
  return requireFinite('attention', result, inputs);
}

function fused(
  { queries, keys, values, distances }: AttentionInputs,
  lengths: Int32Array,
): tf.Tensor3D {
  const op = tf.customGrad((...given) => {
    const save = given.pop() as unknown as tf.GradSaveFunc;
    const [q, k, v, d] = given as unknown as tf.Tensor[];
    const named = { queries: q, keys: k, values: v, distances: d } as Record<string, tf.Tensor>;
    const [y, logSums] = runKernel('Attention', named, { lengths }) as [tf.Tensor, tf.Tensor];
    save([...Object.values(named), logSums]);
    return {
      value: y,
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => {
        const [queries, keys, values, distances, sums] = saved as Five;
        const of = { queries, keys, values, distances, logSums: sums, dy };
        return runKernel('AttentionGrad', of, { lengths });
      },
    };
  });
  return op(queries, keys, values, distances) as tf.Tensor3D;
}

type Five = [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];

function requireAttentionShapes(
  { queries, keys, values, distances }: AttentionInputs,
  lengths: Int32Array,
): void {
  const [B, T, W = 0] = queries.shape;
  const [heads = 0, places = 0] = distances.shape;
  const [shortest, longest] = lengths.length > 0 ? extremesOf(lengths) : [0, 0];
  checkShapes(
    'attention',
    {
      ...{ queries: queries.shape, keys: keys.shape, values: values.shape },
      distances: distances.shape,
      ...{ lengths: [lengths.length], 'shortest and longest': [shortest, longest] },
    },
    'queries, keys and values [B, T, W], distances [heads, 2 R + 1] with a divisor of W, lengths [B] up to T',
    queries.rank === 3 &&
      [keys, values].every(({ shape }) => tf.util.arraysEqual(shape, queries.shape)) &&
      distances.rank === 2 &&
      heads > 0 &&
      W > 0 &&
      W % heads === 0 &&
      places % 2 === 1 &&
      lengths.length === B &&
      shortest >= 0 &&
      longest <= T,
  );
}
