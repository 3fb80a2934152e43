import type { CharacterConfig } from './character-config.js';

/** How a de-identifier reads a sentence: by LSTMs and a CRF, or see `sequence-to-sequence.ts`. */
export const DEIDENTIFIER_NETWORKS = ['bilstm-crf', 'sequence-to-sequence'] as const;
export type DeidentifierNetwork = (typeof DEIDENTIFIER_NETWORKS)[number];

export interface DeidentifierConfig extends CharacterConfig {
  /** `bilstm-crf` where it is left out. */
  readonly network?: DeidentifierNetwork;
  /** D, the length of a token's vector: E on raw text, d on representations. */
  readonly inputDimension: number;
  /** L, the number of IOB2 labels. */
  readonly labels: number;
  /** H, LSTM units a direction; of sequence to sequence W, numbers a token between layers. */
  readonly units: number;
  /** Of sequence to sequence so many in the encoder, and in the decoder. */
  readonly layers: number;
  readonly inputDropout: number;
  /** Of sequence to sequence on what each sublayer adds. */
  readonly recurrentDropout: number;
  readonly outputDropout: number;
  /**
   * Whether a token's casing is an input beside its word vector; it is where this is left out. What is
   * released holds it already, so that a de-identifier on representations has no such input.
   */
  readonly casing?: boolean;
  /**
   * On representations: whether a token's casing is an input beside its vector, as in Friedrich et al. 2019, section
   * 5.1; it is not where this is left out. It would have to be shared in clear, so that no such model is published.
   */
  readonly casingInClear?: boolean;
  /**
   * On representations: E where the word vector of a token, its casing and its characters are inputs beside its vector,
   * zeros where only the vector is known; none where this is left out. Such a network has read text in clear, and stays
   * where that is.
   */
  readonly wordDimension?: number;
  /** Sequence to sequence, as the next two: see `SequenceToSequenceConfig`. */
  readonly heads?: number;
  readonly feedForward?: number;
  readonly reach?: number;
  /** Sequence to sequence: what a PHI token counts in its loss, where another one counts 1; 1 where left out. */
  readonly phiWeight?: number;
}

/** The inputs of a de-identifier on released vectors, beside which nothing is shared. */
export const VECTORS_ALONE = { casing: false, characters: 'none' } as const;

/**
 * Friedrich et al. 2019, Table 1. Its dropout on the input embedding is on all inputs here, the casing among
 * them, and its dropout after the LSTM once, before the last layer.
 */
export const DEIDENTIFIER_DEFAULTS = {
  units: 128,
  layers: 2,
  inputDropout: 0.1,
  recurrentDropout: 0.25,
  outputDropout: 0.5,
} as const;
