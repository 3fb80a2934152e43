import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import { STDDEV_FLOOR } from '../networks/stddev-floor.js';
import { CODES_A_WORD } from '../text/character-codes.js';
import { characterGraph } from './onnx-characters.js';
import { bilstmGraph } from './onnx-lstm.js';
import { node, type OnnxTensor, writeOnnx } from './onnx-model.js';

const SMALLEST_SQUARED_NORM = 1e-12;

const DOCUMENTATION =
  'R = N_out + f(E + N_in) of Friedrich et al. 2019. embeddings [B, T, I]: word vectors, rows of ' +
  '"trained" in weights.safetensors for words without one, each followed by a one for its casing ' +
  'among seven (docs/design.md) where the manifest says that casing is an input. characters [B, T, S], where ' +
  'they are an input: codes of each word in lower case (docs/design.md, Words). lengths [B]: true tokens of each ' +
  'sentence; rows beyond mean nothing. input_normals [B, T, I], output_normals [B, T, d]: fresh ' +
  'draws of a standard normal from a cryptographic generator, scaled in here. Zeros in their ' +
  'place give vectors without any protection, and no sentence may be released twice.';

/** `representation.onnx` of a representation's weights: what `release` computes, noise given. */
export function representationOnnx(weights: NamedArrays): Uint8Array {
  const array = (name: string) => weights[name] as NamedArray;
  const [read = 0, d = 0] = array('projection/kernel').shape;
  const [I = 0] = array('noise/input').shape;
  const [fourH = 0] = array('bilstm/forward/bias').shape;
  const twoH = fourH / 2;
  const isResidual = read > twoH;
  const characters = characterGraph(weights);
  const lstm = bilstmGraph(weights, 'bilstm', 'lstm', 'noisy');
  return writeOnnx({
    name: 'representation',
    documentation: DOCUMENTATION,
    inputs: [
      { name: 'embeddings', type: 'float', shape: ['B', 'T', I - (characters?.size ?? 0)] },
      ...(characters
        ? [{ name: 'characters', type: 'int64' as const, shape: ['B', 'T', CODES_A_WORD] }]
        : []),
      { name: 'lengths', type: 'int32', shape: ['B'] },
      { name: 'input_normals', type: 'float', shape: ['B', 'T', I] },
      { name: 'output_normals', type: 'float', shape: ['B', 'T', d] },
    ],
    outputs: [{ name: 'representation', type: 'float', shape: ['B', 'T', d] }],
    initializers: [
      ...(characters?.initializers ?? []),
      stddev('input_stddev', array('noise/input')),
      stddev('output_stddev', array('noise/output')),
      ...lstm.initializers,
      { name: 'projection_kernel', ...array('projection/kernel') },
      { name: 'projection_bias', ...array('projection/bias') },
      { name: 'last_axis', shape: [1], data: [2] },
      { name: 'least', shape: [1], data: Float32Array.of(SMALLEST_SQUARED_NORM) },
    ],
    nodes: [
      ...(characters
        ? [
            ...characters.nodes,
            node('Concat', ['embeddings', 'character_vectors'], 'inputs', { axis: 2 }),
          ]
        : []),
      node('Mul', ['input_normals', 'input_stddev'], 'input_noise'),
      node('Add', [characters ? 'inputs' : 'embeddings', 'input_noise'], 'noisy'), // [B, T, I]
      ...lstm.nodes, // [B, T, 2H]
      ...(isResidual ? [node('Concat', [lstm.output, 'noisy'], 'read', { axis: 2 })] : []),
      node('MatMul', [isResidual ? 'read' : lstm.output, 'projection_kernel'], 'product'), // [B, T, d]
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

/** σ = softplus(raw) + floor. */
function stddev(name: string, { shape, data }: NamedArray): OnnxTensor {
  const softplus = (raw: number) => Math.max(raw, 0) + Math.log1p(Math.exp(-Math.abs(raw)));
  return { name, shape, data: data.map((raw) => softplus(raw) + STDDEV_FLOOR) };
}
