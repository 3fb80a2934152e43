import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import { CODES_A_WORD } from '../text/character-codes.js';
import { sequenceToSequenceGraph } from './onnx-attention.js';
import { characterGraph } from './onnx-characters.js';
import { bilstmGraph, type LayerGraph } from './onnx-lstm.js';
import { node, writeOnnx } from './onnx-model.js';

/** What a de-identifier reads: word vectors of text, or released vectors. */
export type DeidentifierInput = 'embeddings' | 'representation';

const TAGGER = 'CRF emissions of the tagger of Friedrich et al. 2019, section 3. ';
const ENCODER_AND_DECODER =
  'Scores of the outputs of the encoder and decoder of Anjum et al. 2021, section 3: copy, and a special token for ' +
  'each label. ';
const INPUTS =
  'embeddings [B, T, I]: word vectors, rows of ' +
  '"deidentifier/trained" in weights.safetensors for words without one, each followed by a one for its casing ' +
  'among seven (docs/design.md) unless the manifest says that casing is no input; characters [B, T, S], where they ' +
  'are an input, as in representation.onnx. A de-identifier on releases has representation [B, T, d] in their ' +
  'place: of text, what representation.onnx gives for zeros in the place of its noise. One that reads both has both, ' +
  'with zeros for the words that are not known. lengths [B]: true tokens ' +
  'of each sentence; rows beyond mean nothing. ';
const VITERBI =
  'emissions [B, T, L] go into a Viterbi search with ' +
  '"deidentifier/crf/transitions" [L, L] (from, to), "crf/start" [L] and "crf/end" [L] of weights.safetensors.';
const GREATEST = 'Of emissions [B, T, L] the greatest of a token is its output.';

/**
 * `deidentifier.onnx` of a de-identifier's weights, of either network: what `Deidentifier.emissions` computes, without
 * dropout. `released`: d, where it reads representations of so many numbers before the word vectors that it `reads`.
 */
export function deidentifierOnnx(
  weights: NamedArrays,
  reads: DeidentifierInput,
  released = 0,
): Uint8Array {
  const kernel = weights['emissions/kernel'] as NamedArray;
  const [, L = 0] = kernel.shape;
  const encoder = weights['encoder/input/kernel'];
  const [I = 0] = (encoder ?? (weights['bilstm-0/forward/kernel'] as NamedArray)).shape;
  const characters = characterGraph(weights, { withoutWords: released > 0 });
  const parts = [
    ...(released > 0 ? [{ name: 'representation', size: released }] : []),
    { name: reads, size: I - released - (characters?.size ?? 0) },
  ];
  const joined = [...parts.map(({ name }) => name), ...(characters ? ['character_vectors'] : [])];
  const input = joined.length > 1 ? 'inputs' : reads;
  const layers = encoder ? [sequenceToSequenceGraph(weights, input)] : stack(weights, input);
  return writeOnnx({
    name: 'deidentifier',
    documentation: encoder
      ? `${ENCODER_AND_DECODER}${INPUTS}${GREATEST}`
      : `${TAGGER}${INPUTS}${VITERBI}`,
    inputs: [
      ...parts.map(({ name, size }) => ({
        ...{ name, type: 'float' as const },
        shape: ['B', 'T', size],
      })),
      ...(characters
        ? [{ name: 'characters', type: 'int64' as const, shape: ['B', 'T', CODES_A_WORD] }]
        : []),
      { name: 'lengths', type: 'int32', shape: ['B'] },
    ],
    outputs: [{ name: 'emissions', type: 'float', shape: ['B', 'T', L] }],
    initializers: [
      ...(characters?.initializers ?? []),
      ...layers.flatMap(({ initializers }) => initializers),
      { name: 'emissions_kernel', ...kernel },
      { name: 'emissions_bias', ...(weights['emissions/bias'] as NamedArray) },
    ],
    nodes: [
      ...(characters?.nodes ?? []),
      ...(joined.length > 1 ? [node('Concat', joined, 'inputs', { axis: 2 })] : []),
      ...layers.flatMap(({ nodes }) => nodes),
      node('MatMul', [layers.at(-1)?.output ?? reads, 'emissions_kernel'], 'product'), // [B, T, L]
      node('Add', ['product', 'emissions_bias'], 'emissions'),
    ],
  });
}

/** The BiLSTM layers, each on what the one before gives. */
function stack(weights: NamedArrays, input: string): LayerGraph[] {
  const layers: LayerGraph[] = [];
  while (weights[`bilstm-${layers.length}/forward/kernel`]) {
    const name = `lstm_${layers.length}`;
    const from = layers.at(-1)?.output ?? input;
    layers.push(bilstmGraph(weights, `bilstm-${layers.length}`, name, from));
  }
  return layers;
}
