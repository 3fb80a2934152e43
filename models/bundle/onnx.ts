import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import { STDDEV_FLOOR } from '../networks/stddev-floor.js';
import { type OnnxTensor, writeOnnx } from './onnx-model.js';

/** ONNX's LSTM orders its gates i, o, f, c; ours are i, f, g, o. */
const GATES = [0, 3, 1, 2];
const DIRECTIONS = ['forward', 'backward'] as const;
const SMALLEST_SQUARED_NORM = 1e-12;

const DOCUMENTATION =
  'R = N_out + f(E + N_in) of Friedrich et al. 2019. embeddings [B, T, E]: word vectors, rows of ' +
  '"trained" in weights.safetensors for words without one. lengths [B]: true tokens of each ' +
  'sentence; rows beyond mean nothing. input_normals [B, T, E], output_normals [B, T, d]: fresh ' +
  'draws of a standard normal from a cryptographic generator, scaled in here. Zeros in their ' +
  'place give vectors without any protection, and no sentence may be released twice.';

/** `representation.onnx` of a representation's weights: what `release` computes, noise given. */
export function representationOnnx(weights: NamedArrays): Uint8Array {
  const array = (name: string) => weights[name] as NamedArray;
  const [twoH = 0, d = 0] = array('projection/kernel').shape;
  const [E = 0] = array('noise/input').shape;
  return writeOnnx({
    name: 'representation',
    documentation: DOCUMENTATION,
    inputs: [
      { name: 'embeddings', type: 'float', shape: ['B', 'T', E] },
      { name: 'lengths', type: 'int32', shape: ['B'] },
      { name: 'input_normals', type: 'float', shape: ['B', 'T', E] },
      { name: 'output_normals', type: 'float', shape: ['B', 'T', d] },
    ],
    outputs: [{ name: 'representation', type: 'float', shape: ['B', 'T', d] }],
    initializers: [
      stddev('input_stddev', array('noise/input')),
      stddev('output_stddev', array('noise/output')),
      gates('lstm_w', weights, 'kernel'),
      gates('lstm_r', weights, 'recurrent'),
      lstmBias(weights),
      { name: 'hidden_shape', shape: [3], data: [0, 0, twoH] },
      { name: 'projection_kernel', ...array('projection/kernel') },
      { name: 'projection_bias', ...array('projection/bias') },
      { name: 'last_axis', shape: [1], data: [2] },
      { name: 'least', shape: [1], data: Float32Array.of(SMALLEST_SQUARED_NORM) },
    ],
    nodes: [
      node('Mul', ['input_normals', 'input_stddev'], 'input_noise'),
      node('Add', ['embeddings', 'input_noise'], 'noisy'), // [B, T, E]
      node('Transpose', ['noisy'], 'by_time', { perm: [1, 0, 2] }), // [T, B, E]
      node('LSTM', ['by_time', 'lstm_w', 'lstm_r', 'lstm_b', 'lengths'], 'states', {
        direction: 'bidirectional',
        hidden_size: twoH / 2,
      }), // [T, 2, B, H]
      node('Transpose', ['states'], 'by_sentence', { perm: [2, 0, 1, 3] }), // [B, T, 2, H]
      node('Reshape', ['by_sentence', 'hidden_shape'], 'hidden'), // [B, T, 2H]
      node('MatMul', ['hidden', 'projection_kernel'], 'product'), // [B, T, d]
      node('Add', ['product', 'projection_bias'], 'projected'),
      node('Mul', ['projected', 'projected'], 'squares'),
      node('ReduceSum', ['squares', 'last_axis'], 'squared_norm', { keepdims: 1 }), // [B, T, 1]
      node('Max', ['squared_norm', 'least'], 'held_up'),
      node('Sqrt', ['held_up'], 'norm'),
      node('Div', ['projected', 'norm'], 'mean'),
      node('Mul', ['output_normals', 'output_stddev'], 'output_noise'),
      node('Add', ['mean', 'output_noise'], 'representation'),
    ],
  });
}

function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number | string | readonly number[]>> = {},
) {
  return { operator, inputs, outputs: [output], attributes };
}

/** σ = softplus(raw) + floor. */
function stddev(name: string, { shape, data }: NamedArray): OnnxTensor {
  const softplus = (raw: number) => Math.max(raw, 0) + Math.log1p(Math.exp(-Math.abs(raw)));
  return { name, shape, data: data.map((raw) => softplus(raw) + STDDEV_FLOOR) };
}

/** Kernels [I, 4H] of both directions to [2, 4H, I]. */
function gates(name: string, weights: NamedArrays, kind: 'kernel' | 'recurrent'): OnnxTensor {
  const directions = DIRECTIONS.map((way) => weights[`bilstm/${way}/${kind}`] as NamedArray);
  const [I = 0, fourH = 0] = directions[0]?.shape ?? [];
  const H = fourH / 4;
  const data = new Float32Array(2 * fourH * I);
  let at = 0;
  for (const { data: kernel } of directions) {
    for (const gate of GATES)
      for (let unit = 0; unit < H; unit++)
        for (let input = 0; input < I; input++)
          data[at++] = kernel[input * fourH + gate * H + unit] as number;
  }
  return { name, shape: [2, fourH, I], data };
}

/** [2, 8H]: the biases of the input, then those of the recurrence, which are zero here. */
function lstmBias(weights: NamedArrays): OnnxTensor {
  const directions = DIRECTIONS.map((way) => weights[`bilstm/${way}/bias`] as NamedArray);
  const fourH = directions[0]?.data.length ?? 0;
  const H = fourH / 4;
  const data = new Float32Array(2 * 2 * fourH);
  for (const [direction, { data: bias }] of directions.entries()) {
    for (const [place, gate] of GATES.entries())
      data.set(bias.subarray(gate * H, (gate + 1) * H), direction * 2 * fourH + place * H);
  }
  return { name: 'lstm_b', shape: [2, 2 * fourH], data };
}
