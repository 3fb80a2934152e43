import { lstmTensors } from '../../models/bundle/onnx-lstm.js';
import { type OnnxNode, type OnnxTensor, writeOnnx } from '../../models/bundle/onnx-model.js';
import type { NamedArrays } from '../../models/networks/named-arrays.js';

/**
 * The de-identifier from its input vectors to its emissions, as an ONNX file: x [T, B, I] and
 * lengths [B] give [T, B, L]. Time comes first, as ONNX's LSTM has it, so that nothing is transposed
 * on the way in or out.
 */
export function onnxTagger(weights: NamedArrays, layers: number): Uint8Array {
  const nodes: OnnxNode[] = [];
  const initializers: OnnxTensor[] = [
    { name: 'kernel', ...weights['emissions/kernel'] },
    { name: 'bias', ...weights['emissions/bias'] },
  ];
  let hidden = 'x';
  for (let layer = 0; layer < layers; layer++) {
    const bilstm = `bilstm-${layer}`;
    const part = bilstmPart(weights, bilstm, hidden);
    nodes.push(...part.nodes);
    initializers.push(...part.initializers);
    hidden = bilstm;
  }
  return writeOnnx({
    name: 'tagger',
    documentation: '',
    inputs: [
      { name: 'x', type: 'float', shape: ['T', 'B', 'I'] },
      { name: 'lengths', type: 'int32', shape: ['B'] },
    ],
    outputs: [{ name: 'emissions', type: 'float', shape: ['T', 'B', 'L'] }],
    nodes: [
      ...nodes,
      { operator: 'MatMul', inputs: [hidden, 'kernel'], outputs: ['product'] },
      { operator: 'Add', inputs: ['product', 'bias'], outputs: ['emissions'] },
    ],
    initializers,
  });
}

/** [T, B, 2H] under the name of the layer, from `x` [T, B, I]. */
function bilstmPart(weights: NamedArrays, name: string, x: string) {
  const lstm = lstmTensors(weights, name, name);
  const [, fourH] = lstm[0].shape;
  const shape = { name: `${name}_shape`, shape: [3], data: [0, 0, fourH / 2] };
  const [states, beside] = [`${name}_states`, `${name}_beside`];
  const nodes: OnnxNode[] = [
    {
      operator: 'LSTM',
      inputs: [x, ...lstm.map((tensor) => tensor.name), 'lengths'],
      outputs: [states], // [T, 2, B, H]
      attributes: { hidden_size: fourH / 4, direction: 'bidirectional' },
    },
    {
      operator: 'Transpose',
      inputs: [states],
      outputs: [beside], // [T, B, 2, H]
      attributes: { perm: [0, 2, 1, 3] },
    },
    { operator: 'Reshape', inputs: [beside, shape.name], outputs: [name] },
  ];
  return { nodes, initializers: [...lstm, shape] };
}
