import { characterMaximum } from '../tensor/character-maximum.js';
import { embedding, trainedRow, ZERO_ROW } from '../tensor/embedding.js';
import { bilstmLastStates } from '../tensor/last-states.js';
import * as tf from '../tensor/tf.js';
import { CHARACTER_CODES, CODES_A_WORD, codeCount } from '../text/character-codes.js';
import { bilstmLayer, bilstmWeights } from './bilstm-layer.js';
import { CHARACTER_DEFAULTS, type CharacterConfig } from './character-config.js';
import type { InitialWeights } from './initial-weights.js';
import { glorotUniform, zeros } from './initialisers.js';
import type { Parameters } from './parameters.js';

/** Characters a window of the convolution, as in Ma and Hovy 2016. */
const WINDOW = 3;
/** The vectors of words that have no characters. */
const NO_VECTORS = new Float32Array(0);

export function characterWeights(config: CharacterConfig): InitialWeights {
  const {
    characters = 'none',
    characterDimension: D = CHARACTER_DEFAULTS.characterDimension,
    characterUnits = CHARACTER_DEFAULTS.characterUnits,
  } = config;
  if (characters === 'none') return {};
  const vectors = { 'characters/embedding': glorotUniform(CHARACTER_CODES, D) };
  if (characters === 'bilstm')
    return { ...vectors, ...bilstmWeights('characters/bilstm', D, characterUnits) };
  const filters = 2 * characterUnits;
  return {
    ...vectors,
    'characters/kernel': glorotUniform(D, WINDOW * filters),
    'characters/bias': zeros(filters),
  };
}

/**
 * Of each token the vector of its word's characters, [B, T, C], zeros where there is no token. `codes`
 * holds S codes a vocabulary id, `ids` is [B·T], −1 for padding. Each word of a batch is read once.
 */
export function characterVectors(
  parameters: Parameters,
  { characters = 'none' }: CharacterConfig,
  codes: Uint16Array,
  ids: Int32Array,
  steps: number,
): tf.Tensor3D {
  const { words, rows } = distinct(ids);
  const read = characters === 'bilstm' ? lastStates : greatestWindows;
  const vectors = read(parameters, codesOf(words, codes)); // [U, C]
  const width = vectors.shape[1];
  return embedding(NO_VECTORS, vectors, rows).reshape([ids.length / steps, steps, width]);
}

function greatestWindows(parameters: Parameters, codes: Int32Array): tf.Tensor2D {
  const tables = tf.matMul<tf.Tensor2D>(
    parameters.matrix('characters/embedding'),
    parameters.matrix('characters/kernel'),
  ); // [A, W · F]
  const words = { codes, steps: CODES_A_WORD, width: WINDOW };
  const greatest = characterMaximum(tables, words); // [U, F]
  return greatest.add<tf.Tensor2D>(parameters.vector('characters/bias')).tanh();
}

function lastStates(parameters: Parameters, codes: Int32Array): tf.Tensor2D {
  const words = codes.length / CODES_A_WORD;
  const lengths = Int32Array.from({ length: words }, (_, word) =>
    codeCount(codes.subarray(word * CODES_A_WORD, (word + 1) * CODES_A_WORD)),
  );
  const steps = lengths.reduce((most, length) => Math.max(most, length), 1);
  const rows = new Int32Array(words * steps).fill(ZERO_ROW);
  lengths.forEach((length, word) => {
    for (let t = 0; t < length; t++)
      rows[word * steps + t] = trainedRow(codes[word * CODES_A_WORD + t] as number);
  });
  const vectors = parameters.matrix('characters/embedding');
  const [, width] = vectors.shape;
  const x = embedding(NO_VECTORS, vectors, rows).reshape<tf.Tensor3D>([words, steps, width]);
  return bilstmLastStates(bilstmLayer(parameters, 'characters/bilstm', x, lengths), lengths);
}

/** The ids of a batch, each once, and of each token which of them it is, as a row of `embedding`. */
function distinct(ids: Int32Array): { words: Int32Array; rows: Int32Array } {
  const placeOf = new Map<number, number>();
  const rows = ids.map((id) => {
    if (id < 0) return ZERO_ROW;
    const place = placeOf.get(id) ?? placeOf.size;
    placeOf.set(id, place);
    return trainedRow(place);
  });
  return { words: Int32Array.from(placeOf.keys()), rows };
}

/** [U · S] */
function codesOf(words: Int32Array, codes: Uint16Array): Int32Array {
  const gathered = new Int32Array(words.length * CODES_A_WORD);
  words.forEach((id, place) => {
    const own = codes.subarray(id * CODES_A_WORD, (id + 1) * CODES_A_WORD);
    gathered.set(own, place * CODES_A_WORD);
  });
  return gathered;
}
