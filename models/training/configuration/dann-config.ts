import type { PhaseLimits, ThreePhaseConfig } from './three-phase-config.js';

export interface DannConfig extends Omit<ThreePhaseConfig, 'lambda' | 'P1' | 'P2' | 'P3'> {
  readonly dann: PhaseLimits & {
    /** λ at the end of its rise. */
    readonly lambda: number;
    /** γ of the rise. */
    readonly gamma: number;
    /** Epochs before λ begins to rise, in which the adversary learns and nothing resists it. */
    readonly delayEpochs: number;
    /** Epochs that λ rises for, of which none may turn out the best; 0 where it is constant. */
    readonly rampEpochs: number;
    /** Epochs alone that an adversary with fresh weights gets before it plays on. */
    readonly warmupEpochs: number;
  };
}

/** γ from Ganin and Lempitsky 2015, section 4; the rest is ours. */
export const DANN_DEFAULTS: DannConfig['dann'] = {
  maxEpochs: 60,
  patience: 10,
  lambda: 1,
  gamma: 10,
  delayEpochs: 0,
  rampEpochs: 20,
  warmupEpochs: 8,
};
