export interface AdversaryConfig {
  /** I, numbers a token that the representation sees. */
  readonly inputDimension: number;
  /** d, the length of a released vector. */
  readonly dimension: number;
  /** LSTM units a direction (300 in the authors' code). */
  readonly units: number;
}

export const ADVERSARY_DEFAULTS = { units: 300 } as const;
