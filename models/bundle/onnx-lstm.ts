import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import { node, type OnnxNode, type OnnxTensor } from './onnx-model.js';

/** ONNX's LSTM orders its gates i, o, f, c; ours are i, f, g, o. */
const GATES = [0, 3, 1, 2];
const DIRECTIONS = ['forward', 'backward'] as const;

/** A part of a graph that computes one layer. */
export interface LayerGraph {
  readonly initializers: readonly OnnxTensor[];
  readonly nodes: readonly OnnxNode[];
  /** The name of what it computes. */
  readonly output: string;
}

/**
 * Our BiLSTM `layer` from `input` [B, T, I] to `NAME_hidden` [B, T, 2H], at the true `lengths` [B] of the
 * graph's input.
 */
export function bilstmGraph(
  weights: NamedArrays,
  layer: string,
  name: string,
  input: string,
): LayerGraph {
  const lstm = lstmTensors(weights, layer, name);
  const H = (weights[`${layer}/forward/recurrent`] as NamedArray).shape[0] as number;
  const output = `${name}_hidden`;
  return {
    initializers: [...lstm, { name: `${name}_shape`, shape: [3], data: [0, 0, 2 * H] }],
    nodes: [
      node('Transpose', [input], `${name}_by_time`, { perm: [1, 0, 2] }), // [T, B, I]
      node(
        'LSTM',
        [`${name}_by_time`, ...lstm.map((tensor) => tensor.name), 'lengths'],
        `${name}_states`,
        { direction: 'bidirectional', hidden_size: H },
      ), // [T, 2, B, H]
      node('Transpose', [`${name}_states`], `${name}_by_sentence`, { perm: [2, 0, 1, 3] }), // [B, T, 2, H]
      node('Reshape', [`${name}_by_sentence`, `${name}_shape`], output), // [B, T, 2H]
    ],
    output,
  };
}

/**
 * The weights of ONNX's bidirectional LSTM, `name_w` [2, 4H, I], `name_r` [2, 4H, H] and `name_b`
 * [2, 8H], from the arrays of our BiLSTM `layer`.
 */
export function lstmTensors(weights: NamedArrays, layer: string, name: string): OnnxTensor[] {
  const directions = (part: 'kernel' | 'recurrent' | 'bias') =>
    DIRECTIONS.map((direction) => weights[`${layer}/${direction}/${part}`]);
  return [
    kernels(`${name}_w`, directions('kernel')),
    kernels(`${name}_r`, directions('recurrent')),
    biases(`${name}_b`, directions('bias')),
  ];
}

/** [I, 4H] of each direction to [2, 4H, I]. */
function kernels(name: string, directions: readonly NamedArray[]): OnnxTensor {
  const [I, fourH] = directions[0].shape;
  const H = fourH / 4;
  const data = new Float32Array(2 * fourH * I);
  let at = 0;
  for (const { data: kernel } of directions) {
    for (const gate of GATES)
      for (let unit = 0; unit < H; unit++)
        for (let input = 0; input < I; input++)
          data[at++] = kernel[input * fourH + gate * H + unit];
  }
  return { name, shape: [2, fourH, I], data };
}

/** [4H] of each direction to [2, 8H]: those of the input, then those of the recurrence, which are zero here. */
function biases(name: string, directions: readonly NamedArray[]): OnnxTensor {
  const fourH = directions[0].data.length;
  const H = fourH / 4;
  const data = new Float32Array(2 * 2 * fourH);
  for (const [direction, { data: bias }] of directions.entries()) {
    for (const [place, gate] of GATES.entries())
      data.set(bias.subarray(gate * H, (gate + 1) * H), direction * 2 * fourH + place * H);
  }
  return { name, shape: [2, 2 * fourH], data };
}
