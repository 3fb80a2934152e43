import { ADVERSARY_DEFAULTS } from '../../networks/adversary-config.js';
import {
  DEIDENTIFIER_DEFAULTS,
  type DeidentifierConfig,
} from '../../networks/deidentifier-config.js';
import {
  REPRESENTATION_DEFAULTS,
  type RepresentationConfig,
} from '../../networks/representation-config.js';
import { BATCH_SENTENCES } from '../data/batch.js';
import { LEARNER_DEFAULTS, type LearnerOptions } from '../run/learner-options.js';
import { GENERAL_DEFAULTS, type GeneralConfig } from './general-config.js';

/**
 * What P3(b) makes small, so that the adversary knows no more than a coin:
 *
 *   absolute   |l_adv − log 2| of a batch (Feutry et al. 2018; Friedrich et al. 2019, section 5.4)
 *   confusion  the cross-entropy of every single answer with a coin, less log 2 (Tzeng et al. 2015):
 *              errors that cancel out in a mean do not here
 */
export const DISTANCES = ['absolute', 'confusion'] as const;
export type Distance = (typeof DISTANCES)[number];

export interface Phase3Config extends PhaseLimits {
  /** What (b) makes small. */
  readonly distance: Distance;
  /** Epochs of (a) for each of (b). */
  readonly adversaryEpochs: number;
  /** Epochs of the adversary alone after (b), so that it is judged once it knows what came of it. */
  readonly catchUpEpochs: number;
  /** The representation's learning rate in (b), in units of the others'. */
  readonly representationRate: number;
  /** Epochs alone that an adversary with fresh weights gets before it plays on. */
  readonly warmupEpochs: number;
}

const PHASE3_DEFAULTS: Phase3Config = {
  maxEpochs: 40,
  patience: 8,
  distance: 'absolute',
  adversaryEpochs: 1,
  catchUpEpochs: 0,
  representationRate: 1,
  warmupEpochs: 8,
};

/** A phase's longest run, and how many epochs it goes on without a better validation loss. */
export interface PhaseLimits {
  readonly maxEpochs: number;
  readonly patience: number;
}

export interface ThreePhaseConfig {
  readonly representation: Omit<RepresentationConfig, 'embeddingDimension'>;
  readonly deidentifier: Omit<DeidentifierConfig, 'inputDimension' | 'labels'>;
  readonly adversary: { readonly units: number };
  readonly learner: LearnerOptions;
  readonly batchSentences: number;
  /** λ, the weight of the adversary's term in P3(b). */
  readonly lambda: number;
  /** What f learns besides the labels in P1 and by the certified objective. */
  readonly general: GeneralConfig;
  readonly P1: PhaseLimits;
  readonly P2: PhaseLimits;
  readonly P3: Phase3Config;
  /**
   * An adversary whose outputs on held-out pairs have a smaller standard deviation has collapsed: it
   * says the same of every pair. It starts again from fresh weights, and the epoch cannot be the best.
   * Friedrich et al. 2019 know no such restart.
   */
  readonly collapsedStddev: number;
}

export const THREE_PHASE_DEFAULTS: ThreePhaseConfig = {
  representation: REPRESENTATION_DEFAULTS,
  deidentifier: DEIDENTIFIER_DEFAULTS,
  adversary: ADVERSARY_DEFAULTS,
  learner: LEARNER_DEFAULTS,
  batchSentences: BATCH_SENTENCES,
  lambda: 1,
  general: GENERAL_DEFAULTS,
  P1: { maxEpochs: 40, patience: 5 },
  P2: { maxEpochs: 20, patience: 3 },
  P3: PHASE3_DEFAULTS,
  collapsedStddev: 1e-3,
};
