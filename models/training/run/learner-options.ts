export const OPTIMISERS = ['nadam', 'adam'] as const;

export interface LearnerOptions {
  /** Nadam where it is left out. */
  readonly optimiser?: (typeof OPTIMISERS)[number];
  /** Steps over which the learning rate rises from next to nothing; none where left out. */
  readonly warmupSteps?: number;
  readonly learningRate: number;
  /** Gradients of a greater global norm are scaled down to it. */
  readonly clipNorm: number;
  /** What an average of the weights keeps at a step; 0: there is none. */
  readonly averaging?: number;
}

/** Friedrich et al. 2019, Table 1: Nadam, gradient norm clipped at 1. */
export const LEARNER_DEFAULTS: LearnerOptions = { learningRate: 0.001, clipNorm: 1, averaging: 0 };
