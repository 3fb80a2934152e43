export interface LearningLimits {
  /** Of the optimiser; that of training by default. */
  readonly learningRate?: number;
  readonly maxEpochs: number;
  /** Epochs without a lower loss on the validation notes before learning ends. */
  readonly patience: number;
}

/**
 * Friedrich et al. 2019, sections 7.3 and 9, learn 50 epochs more, after gradient reversal 20, and state no patience; here
 * learning ends once it was no better for 10.
 */
export const LEARNING_LIMITS: LearningLimits = { maxEpochs: 50, patience: 10 };
