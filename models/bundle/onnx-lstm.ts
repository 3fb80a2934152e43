import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import type { OnnxTensor } from './onnx-model.js';

/** ONNX's LSTM orders its gates i, o, f, c; ours are i, f, g, o. */
const GATES = [0, 3, 1, 2];
const DIRECTIONS = ['forward', 'backward'] as const;

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
