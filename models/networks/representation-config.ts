import type { CharacterConfig } from './character-config.js';

export interface RepresentationConfig extends CharacterConfig {
  /** E, the length of a word vector. */
  readonly embeddingDimension: number;
  /** Whether f sees the casing of each token; it does not where this is left out. */
  readonly casing?: boolean;
  /** H, LSTM units a direction (128 in the code of Friedrich et al. 2019). */
  readonly units: number;
  /** d, the length of a released vector (50, 100 or 300 there, sections 5.2 and 7.3). */
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
  /** What f is, and what a release; `unit-length` where left out. */
  readonly form?: Form;
  /** Whether word vectors are scaled to unit length before f sees them; they are not where this is left out, and in none that is published. */
  readonly unitInputs?: boolean;
}

/**
 * The forms of R that are trained here:
 *
 *   unit-length   R = N_out + u(dense(LSTM(E + N_in))), u scaling each token's vector to length 1: ours, the only one
 *                 that is published
 *   lstm-alone    R = N_out + LSTM(E + N_in), so that d = 2H (Friedrich et al. 2019, equation 1, as it is printed)
 *   scaled-after  R = u(N_out + dense(LSTM(E + N_in))), as in its authors' code
 */
export const FORMS = ['unit-length', 'lstm-alone', 'scaled-after'] as const;
export type Form = (typeof FORMS)[number];

/**
 * Why a representation cannot be published, or undefined where it can. A pool takes vectors for releases by their
 * length, which takes unit vectors before the noise; so does the limit for any two texts. A manifest has word vectors read
 * as they are.
 */
export function whyUnpublishable({
  noise,
  form = 'unit-length',
  unitInputs = false,
}: Pick<RepresentationConfig, 'noise' | 'form' | 'unitInputs'>): string | undefined {
  if (noise === 'dependent') return 'its noise depends on its input';
  if (form !== 'unit-length') return `its form is '${form}', whose length a pool cannot check`;
  if (unitInputs) return 'it scales word vectors to unit length, which no manifest can say';
  return undefined;
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
