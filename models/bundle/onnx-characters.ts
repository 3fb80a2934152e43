import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import { CODES_A_WORD } from '../text/character-codes.js';
import { lstmTensors } from './onnx-lstm.js';
import { node, type OnnxNode, type OnnxTensor } from './onnx-model.js';

/** A part of a graph that turns `characters` [B, T, S] into `character_vectors` [B, T, C]. */
export interface CharacterGraph {
  /** C */
  readonly size: number;
  readonly initializers: readonly OnnxTensor[];
  readonly nodes: readonly OnnxNode[];
}

/** Below every sum of a window. */
const LEAST = -3e38;
/** TensorProto.DataType of int32. */
const INT32 = 6;

/**
 * What `characterVectors` computes; undefined where characters are no input. `withoutWords`: whether tokens may have a
 * word that is not known, all zeros in `embeddings` [B, T, E] and `characters`.
 */
export function characterGraph(
  weights: NamedArrays,
  { withoutWords = false } = {},
): CharacterGraph | undefined {
  if (!weights['characters/embedding']) return undefined;
  return weights['characters/kernel'] ? convolution(weights, withoutWords) : lastStates(weights);
}

function convolution(weights: NamedArrays, withoutWords: boolean): CharacterGraph {
  const bias = weights['characters/bias'] as NamedArray;
  const [F = 0] = bias.shape;
  const tables = tablesOf(weights, F);
  const half = tables.length >> 1;
  const names = tables.map((_, k) => `character_table_${k}`);
  const initializers: OnnxTensor[] = [
    ...tables.map((table, k) => ({ name: names[k] as string, ...table })),
    { name: 'character_bias', shape: [F], data: bias.data },
    { name: 'character_margins', shape: [6], data: [0, 0, half, 0, 0, half] },
    ...ZERO_AND_FIRST,
    { name: 'character_least', shape: [1], data: Float32Array.of(LEAST) },
    { name: 'character_nothing', shape: [1], data: Float32Array.of(0) },
    { name: 'character_last_axis', shape: [1], data: [3] },
    ...tables.flatMap((_, k) => [
      { name: `character_from_${k}`, shape: [1], data: [k] },
      { name: `character_to_${k}`, shape: [1], data: [k + CODES_A_WORD] },
    ]),
  ];
  const windows = names.flatMap((table, k) => [
    {
      operator: 'Slice',
      inputs: [
        'character_padded',
        `character_from_${k}`,
        `character_to_${k}`,
        'character_code_axis',
      ],
      outputs: [`character_codes_${k}`],
    },
    {
      operator: 'Gather',
      inputs: [table, `character_codes_${k}`],
      outputs: [`character_part_${k}`],
    },
  ]);
  const parts = names.map((_, k) => `character_part_${k}`);
  return {
    size: F,
    initializers,
    nodes: [
      node('Pad', ['characters', 'character_margins'], 'character_padded'),
      ...windows,
      node('Sum', parts, 'character_sums'), // [B, T, S, F]
      node('Equal', ['characters', 'character_zero'], 'character_ended'),
      node('Unsqueeze', ['character_ended', 'character_last_axis'], 'character_outside'),
      node('Where', ['character_outside', 'character_least', 'character_sums'], 'character_inside'),
      node('ReduceMax', ['character_inside'], 'character_greatest', { axes: [2], keepdims: 0 }),
      ...EMPTY_WORDS,
      node(
        'Where',
        ['character_empty', 'character_nothing', 'character_greatest'],
        'character_max',
      ),
      node('Add', ['character_max', 'character_bias'], 'character_biased'),
      ...(withoutWords ? KNOWN_WORDS : []),
      node('Tanh', [withoutWords ? 'character_known' : 'character_biased'], 'character_vectors'),
    ],
  };
}

function lastStates(weights: NamedArrays): CharacterGraph {
  const lstm = lstmTensors(weights, 'characters/bilstm', 'character_lstm');
  const units = (weights['characters/bilstm/forward/recurrent'] as NamedArray).shape[0] as number;
  const embedding = weights['characters/embedding'] as NamedArray;
  return {
    size: 2 * units,
    initializers: [
      { name: 'character_embedding', ...embedding },
      ...lstm,
      ...ZERO_AND_FIRST,
      { name: 'character_words', shape: [2], data: [-1, CODES_A_WORD] },
      { name: 'character_width', shape: [1], data: [2 * units] },
      { name: 'character_nothing', shape: [1], data: Float32Array.of(0) },
      { name: 'character_shape_from', shape: [1], data: [0] },
      { name: 'character_shape_to', shape: [1], data: [2] },
    ],
    nodes: [
      node('Reshape', ['characters', 'character_words'], 'character_rows'), // [B T, S]
      node('Gather', ['character_embedding', 'character_rows'], 'character_embedded'),
      node('Transpose', ['character_embedded'], 'character_steps', { perm: [1, 0, 2] }),
      node('Greater', ['character_rows', 'character_zero'], 'character_there'),
      node('Cast', ['character_there'], 'character_counted', { to: INT32 }),
      node('ReduceSum', ['character_counted', 'character_one'], 'character_lengths', {
        keepdims: 0,
      }),
      {
        operator: 'LSTM',
        inputs: ['character_steps', ...lstm.map(({ name }) => name), 'character_lengths'],
        outputs: ['', 'character_states'], // [2, B T, H]
        attributes: { direction: 'bidirectional', hidden_size: units },
      },
      node('Transpose', ['character_states'], 'character_by_word', { perm: [1, 0, 2] }),
      node('Shape', ['characters'], 'character_sizes'),
      node(
        'Slice',
        ['character_sizes', 'character_shape_from', 'character_shape_to'],
        'character_tokens',
      ),
      node('Concat', ['character_tokens', 'character_width'], 'character_shape', { axis: 0 }),
      node('Reshape', ['character_by_word', 'character_shape'], 'character_last'),
      ...EMPTY_WORDS,
      node(
        'Where',
        ['character_empty', 'character_nothing', 'character_last'],
        'character_vectors',
      ),
    ],
  };
}

const ZERO_AND_FIRST: readonly OnnxTensor[] = [
  { name: 'character_zero', shape: [1], data: [0] },
  { name: 'character_one', shape: [1], data: [1] },
  { name: 'character_code_axis', shape: [1], data: [2] },
];

/** [B, T, 1], whether a word has no character. */
const EMPTY_WORDS: readonly OnnxNode[] = [
  node(
    'Slice',
    ['characters', 'character_zero', 'character_one', 'character_code_axis'],
    'character_first',
  ),
  node('Equal', ['character_first', 'character_zero'], 'character_empty'),
];

/** [B, T, F], zeros for words that are not known; one that merely has no characters keeps the bias. */
const KNOWN_WORDS: readonly OnnxNode[] = [
  node('Abs', ['embeddings'], 'character_sizes'),
  node('ReduceMax', ['character_sizes'], 'character_size', { axes: [2] }), // [B, T, 1]
  node('Equal', ['character_size', 'character_nothing'], 'character_wordless'),
  node('And', ['character_wordless', 'character_empty'], 'character_unknown'),
  node('Where', ['character_unknown', 'character_nothing', 'character_biased'], 'character_known'),
];

/** What each character adds at each place of a window, [A, F] each. */
function tablesOf(weights: NamedArrays, F: number): NamedArray[] {
  const { shape, data: embedding } = weights['characters/embedding'] as NamedArray;
  const { shape: kernelShape, data: kernel } = weights['characters/kernel'] as NamedArray;
  const [A = 0, D = 0] = shape;
  const columns = kernelShape[1] as number;
  return Array.from({ length: columns / F }, (_, k) => {
    const data = new Float32Array(A * F);
    for (let a = 0; a < A; a++)
      for (let f = 0; f < F; f++) {
        let sum = 0;
        for (let d = 0; d < D; d++)
          sum += (embedding[a * D + d] as number) * (kernel[d * columns + k * F + f] as number);
        data[a * F + f] = sum;
      }
    return { shape: [A, F], data };
  });
}
