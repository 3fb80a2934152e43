import { nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
import { ACTIVATIONS, type Activation } from '../native-records.js';
import * as tf from '../tf.js';
import {
  areFloats,
  input,
  type KernelAttributes,
  type KernelInputs,
  nativeKernel,
  sizeOf,
} from './native-kernel.js';

/** Matrix products, batched and broadcast over the batch, with a fused bias and activation. */
export function matMulKernels(): tf.KernelConfig[] {
  return [nativeKernel(tf.BatchMatMul, matMul), nativeKernel(tf._FusedMatMul, matMul)];
}

function matMul(
  backend: NativeBackend,
  inputs: KernelInputs,
  attributes: KernelAttributes,
): tf.TensorInfo | undefined {
  const a = input(inputs, 'a');
  const b = input(inputs, 'b');
  const { bias } = inputs;
  const activation = (attributes.activation ?? 'linear') as Activation;
  const transposeA = attributes.transposeA === true;
  const transposeB = attributes.transposeB === true;
  const [k, m] = lastTwo(a.shape, transposeA);
  const [n, rows] = lastTwo(b.shape, transposeB);
  const batchShapes = [a.shape.slice(0, -2), b.shape.slice(0, -2)] as const;
  const [batchA, batchB] = batchShapes.map(sizeOf) as [number, number];
  const served =
    areFloats(a, b, bias ?? a) &&
    k === rows &&
    (batchA === batchB || batchA === 1 || batchB === 1) &&
    (!bias || (sizeOf(bias.shape) === n && bias.shape[bias.shape.length - 1] === n)) &&
    ACTIVATIONS.includes(activation);
  if (!served) return undefined;
  const batchShape = tf.broadcast_util.assertAndGetBroadcastShape(...batchShapes);
  const output = backend.output([...batchShape, m, n]);
  // One right matrix for the whole batch: one product of all rows, which packs that matrix once.
  const folded = batchB === 1 && !transposeA;
  nativeFunction('matMul')({
    a: backend.values(a),
    b: backend.values(b),
    bias: bias && backend.values(bias),
    result: output.values,
    batch: folded ? 1 : sizeOf(batchShape),
    m: folded ? batchA * m : m,
    k,
    n,
    transposeA,
    transposeB,
    aBatched: batchA > 1 || folded,
    bBatched: batchB > 1,
    activation,
  });
  return output.info;
}

/** Columns and rows of the matrices of a batch, as the product sees them. */
function lastTwo(shape: readonly number[], transpose: boolean): [number, number] {
  const [rows, columns] = shape.slice(-2) as [number, number];
  return transpose ? [rows, columns] : [columns, rows];
}
