import type { NamedArray, NamedArrays } from '../../models/networks/named-arrays.js';
import { FLOAT, INT32, OnnxModel } from './onnx-model.js';

const DIRECTIONS = ['forward', 'backward'] as const;
/** Our gates are i f g o, those of ONNX i o f c. */
const GATES = [0, 3, 1, 2];

/**
 * The de-identifier from its input vectors to its emissions, as an ONNX file: x [T, B, I] and
 * lengths [B] give [T, B, L]. Time comes first, as ONNX's LSTM has it, so that nothing is transposed
 * on the way in or out.
 */
export function onnxTagger(weights: NamedArrays, layers: number): Uint8Array {
  const model = new OnnxModel();
  let hidden = 'x';
  for (let layer = 0; layer < layers; layer++) {
    hidden = bilstm(model, weights, `bilstm-${layer}`, hidden);
  }
  const kernel = arrayOf(weights, 'emissions/kernel');
  const bias = arrayOf(weights, 'emissions/bias');
  const product = model.node('MatMul', [
    hidden,
    model.floats('emissions/kernel', kernel.shape, kernel.data),
  ]);
  const emissions = model.node('Add', [
    product,
    model.floats('emissions/bias', bias.shape, bias.data),
  ]);
  const inputs = [
    { name: 'x', type: FLOAT, shape: ['T', 'B', 'I'] },
    { name: 'lengths', type: INT32, shape: ['B'] },
  ] as const;
  return model.encode(inputs, { name: emissions, type: FLOAT, shape: ['T', 'B', 'L'] });
}

/** [T, B, I] to [T, B, 2H] */
function bilstm(model: OnnxModel, weights: NamedArrays, name: string, x: string): string {
  const each = (part: string) => DIRECTIONS.map((d) => arrayOf(weights, `${name}/${d}/${part}`));
  const [inputs, units] = [each('kernel')[0]?.shape[0], each('recurrent')[0]?.shape[0]] as [
    number,
    number,
  ];
  const W = joined(each('kernel').map((kernel) => gateRows(kernel, inputs, units)));
  const R = joined(each('recurrent').map((kernel) => gateRows(kernel, units, units)));
  const B = joined(
    each('bias').map((bias) => joined([gateRows(bias, 1, units), new Float32Array(4 * units)])),
  );
  const y = model.node(
    'LSTM',
    [
      x,
      model.floats(`${name}/W`, [2, 4 * units, inputs], W),
      model.floats(`${name}/R`, [2, 4 * units, units], R),
      model.floats(`${name}/B`, [2, 8 * units], B),
      'lengths',
    ],
    { hidden_size: units, direction: 'bidirectional' },
  ); // [T, 2, B, H]
  const beside = model.node('Transpose', [y], { perm: [0, 2, 1, 3] }); // [T, B, 2, H]
  return model.node('Reshape', [beside, model.integers(`${name}/shape`, [0, 0, 2 * units])]);
}

/** [rows, 4H] with gates i f g o to [4H, rows] with gates i o f c. */
function gateRows({ data }: NamedArray, rows: number, units: number): Float32Array {
  const result = new Float32Array(data.length);
  for (const [place, gate] of GATES.entries()) {
    for (let unit = 0; unit < units; unit++) {
      for (let row = 0; row < rows; row++) {
        result[(place * units + unit) * rows + row] = data[
          (row * 4 + gate) * units + unit
        ] as number;
      }
    }
  }
  return result;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

function arrayOf(weights: NamedArrays, name: string): NamedArray {
  const array = weights[name];
  if (!array) throw new Error(`the network has no weight ${name}`);
  return array;
}
