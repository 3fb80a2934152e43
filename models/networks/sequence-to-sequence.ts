/**
 * The encoder and decoder of Anjum et al. 2021, "De-identification of Unstructured Clinical Texts from Sequence
 * to Sequence Perspective", section 3: k tokens in, k tokens out. A token that is no PHI maps to itself; PHI
 * maps to a special token.
 *
 * The paper gives 8 layers of multi-head attention each, 78 M parameters, and neither width, heads, vocabulary
 * nor decoding. Chosen here:
 * - The output set is {copy} and the special tokens, one for each label but O, so that two entities side by side
 *   stay apart: a token that maps to itself needs no table of all words. One special token for all PHI is a label
 *   scheme of one type.
 * - The output is as long as the input by construction: the decoder reads the tokens themselves, each at its
 *   place, as in Gu et al. 2018, "Non-Autoregressive Neural Machine Translation", section 3.2, and gives all of
 *   its output at once. No token can go unaligned.
 * - Tokens are word vectors, casing and characters, as those of the other de-identifier, or released vectors;
 *   encoder and decoder have an embedding layer each, dense.
 * - Where tokens stand is told by a trained number for each head and distance, also between decoder and encoder,
 *   whose places are the same.
 * - Each sublayer normalises its input, not its output (Xiong et al. 2020), so that training is stable from its
 *   first steps.
 */
import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import {
  type AttentionSizes,
  attentionSublayer,
  attentionWeights,
  feedForwardSublayer,
  feedForwardWeights,
  normLayer,
  normWeights,
  type Sublayer,
} from './attention-layer.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import type { InitialWeights } from './initial-weights.js';
import type { Parameters } from './parameters.js';

export interface SequenceToSequenceConfig {
  /** W, numbers a token between layers, a multiple of `heads`. */
  readonly units: number;
  /** Of the encoder and of the decoder, each. */
  readonly layers: number;
  /** Dropout on what each sublayer adds. */
  readonly recurrentDropout: number;
  readonly heads?: number;
  /** Units between the two dense layers of a token. */
  readonly feedForward?: number;
  /** Distances between tokens beyond it count as it. */
  readonly reach?: number;
}

const SEQUENCE_TO_SEQUENCE_DEFAULTS = { heads: 4, feedForward: 512, reach: 16 } as const;

/** Words that heads begin by looking at: of a token itself, its neighbours; of the encoder's, the same one, too. */
const OWN_OFFSETS = [-1, 1, -2, 2];
const ENCODER_OFFSETS = [0, -1, 1, -2];

export function attentionSizes(config: SequenceToSequenceConfig): AttentionSizes {
  const { heads, feedForward, reach } = { ...SEQUENCE_TO_SEQUENCE_DEFAULTS, ...config };
  return { width: config.units, heads, feedForward, reach };
}

/** Of tokens of `inputs` numbers. */
export function sequenceToSequenceWeights(
  config: SequenceToSequenceConfig,
  inputs: number,
): InitialWeights {
  const sizes = attentionSizes(config);
  const { width: W } = sizes;
  const layer = (name: string, isDecoder: boolean): InitialWeights => ({
    ...attentionWeights(`${name}/self`, sizes, OWN_OFFSETS),
    ...(isDecoder && attentionWeights(`${name}/encoder`, sizes, ENCODER_OFFSETS)),
    ...feedForwardWeights(`${name}/feed-forward`, sizes),
  });
  const stack = (part: 'encoder' | 'decoder'): InitialWeights => ({
    ...denseWeights(`${part}/input`, inputs, W),
    ...Object.assign(
      {},
      ...Array.from({ length: config.layers }, (_, i) =>
        layer(`${part}/layer-${i}`, part === 'decoder'),
      ),
    ),
    ...normWeights(`${part}/norm`, W),
  });
  return { ...stack('encoder'), ...stack('decoder') };
}

/** What the decoder gives, [B, T, W], of tokens x [B, T, I]; dropout where `random` is given. */
export function sequenceToSequence(
  parameters: Parameters,
  config: SequenceToSequenceConfig,
  x: tf.Tensor3D,
  lengths: Int32Array,
  random?: Random,
): tf.Tensor3D {
  const dropout = random && { rate: config.recurrentDropout, random };
  const sublayer = (name: string): Sublayer => ({ parameters, name, dropout });
  const layers = Array.from({ length: config.layers }, (_, i) => `layer-${i}`);

  let encoded = denseLayer(parameters, 'encoder/input', x); // [B, T, W]
  for (const layer of layers) {
    encoded = attentionSublayer(sublayer(`encoder/${layer}/self`), encoded, lengths);
    encoded = feedForwardSublayer(sublayer(`encoder/${layer}/feed-forward`), encoded);
  }
  encoded = normLayer(parameters, 'encoder/norm', encoded);

  let decoded = denseLayer(parameters, 'decoder/input', x); // [B, T, W]
  for (const layer of layers) {
    decoded = attentionSublayer(sublayer(`decoder/${layer}/self`), decoded, lengths);
    decoded = attentionSublayer(sublayer(`decoder/${layer}/encoder`), decoded, lengths, encoded);
    decoded = feedForwardSublayer(sublayer(`decoder/${layer}/feed-forward`), decoded);
  }
  return normLayer(parameters, 'decoder/norm', decoded);
}
