import type { CharacterConfig } from './character-config.js';

export interface RepresentationConfig extends CharacterConfig {
  /** E, the length of a word vector. */
  readonly embeddingDimension: number;
  /** Whether f sees the casing of each token; it does not where this is left out. */
  readonly casing?: boolean;
  /** H, LSTM units a direction (128 in the code of Friedrich et al. 2019). */
  readonly units: number;
  /** d, the length of a released vector (50, 100 or 300 there, section 5.2). */
  readonly dimension: number;
  /** Standard deviations at the start of training; trained from there. */
  readonly initialInputStddev: number;
  readonly initialOutputStddev: number;
  /** Whether the projection reads the inputs beside the LSTM's output, so that a word never met passes, too. */
  readonly residual?: boolean;
  /**
   * `dependent`: σ_out is a function of the LSTM's output (the paper's future work), so it differs
   * from token to token. No such model can be published. `constant` where left out.
   */
  readonly noise?: Noise;
}

export const NOISES = ['constant', 'dependent'] as const;
export type Noise = (typeof NOISES)[number];

export const REPRESENTATION_DEFAULTS = {
  units: 128,
  dimension: 50,
  casing: true,
  initialInputStddev: 0.1,
  initialOutputStddev: 0.1,
} as const;
