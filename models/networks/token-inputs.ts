import type { Vocabulary } from '../embeddings/vocabulary.js';
import { l2Normalise } from '../tensor/l2-normalise.js';
import * as tf from '../tensor/tf.js';
import { CASINGS } from '../text/casing.js';
import { type CharacterConfig, characterOutputs } from './character-config.js';
import { characterVectors, characterWeights } from './character-encoder.js';
import type { InitialWeights } from './initial-weights.js';
import type { Parameters } from './parameters.js';
import { embed, trainedVectors, type WordVectors } from './trained-vectors.js';

/** What `tokenInputs` needs of a vocabulary. */
export type TokenWords = WordVectors & Pick<Vocabulary, 'casing' | 'codes'>;

/** What of a token is an input of a network. */
export interface TokenInputs extends CharacterConfig {
  /** E */
  readonly dimension: number;
  readonly casing: boolean;
  /** Whether the word vector is scaled to unit length. */
  readonly unit?: boolean;
}

/** I, numbers a token that a network sees: its word vector, one for each casing, and of its characters. */
export function inputsOf(inputs: TokenInputs): number {
  return inputs.dimension + (inputs.casing ? CASINGS.length : 0) + characterOutputs(inputs);
}

export function tokenInputWeights(inputs: TokenInputs): InitialWeights {
  return { trained: trainedVectors(inputs.dimension), ...characterWeights(inputs) };
}

/**
 * What a network sees of a batch, [B, T, I]: the embedding of each vocabulary id in `ids` [B·T] as
 * `embed` looks it up; where casing is an input, 1 at the casing of the id and 0 at the others; where
 * characters are one, what `characterVectors` reads of them. Vectors [B, T, E] that are given stand in the place
 * of the embeddings.
 */
export function tokenInputs(
  parameters: Parameters,
  words: TokenWords,
  ids: Int32Array,
  steps: number,
  inputs: TokenInputs,
  given?: tf.Tensor3D,
): tf.Tensor3D {
  const vectors = given ?? embed(words, parameters.matrix('trained'), ids, steps);
  const parts = [inputs.unit ? l2Normalise(vectors) : vectors];
  if (inputs.casing) parts.push(casingOneHot(words, ids, steps));
  if (characterOutputs(inputs) > 0)
    parts.push(characterVectors(parameters, inputs, words.codes(), ids, steps));
  return parts.length === 1 ? (parts[0] as tf.Tensor3D) : tf.concat3d(parts, 2);
}

/** The casing of vocabulary ids [B·T]: [B, T, 7], zeros where there is no token. */
export function casingOneHot(
  words: Pick<TokenWords, 'casing'>,
  ids: Int32Array,
  steps: number,
): tf.Tensor3D {
  const values = new Float32Array(ids.length * CASINGS.length);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    if (id >= 0) values[i * CASINGS.length + words.casing(id)] = 1;
  }
  return tf.tensor3d(values, [ids.length / steps, steps, CASINGS.length]);
}
