import type { PhaseLimits, ThreePhaseConfig } from './three-phase-config.js';

export interface CertifiedConfig extends ThreePhaseConfig {
  readonly certified: PhaseLimits & {
    /** λ, the price of an adversary's greatest advantage in units of l_deid. */
    readonly lambda: number;
    /** Epochs on E[log(1 + Δ²)] before the objective itself. */
    readonly warmupEpochs: number;
    /** Weight of E[log(1 + Δ²)] beside the advantage. */
    readonly tail: number;
    /** What a pair counts whose moved word is in lower case, where any other counts 1. */
    readonly lowerCase: number;
    /** The phase of three-phase training whose weights it starts from. */
    readonly after: 'P1' | 'P3';
  };
}

export const CERTIFIED_DEFAULTS: CertifiedConfig['certified'] = {
  maxEpochs: 40,
  patience: 8,
  lambda: 0.1,
  warmupEpochs: 2,
  tail: 0,
  lowerCase: 1,
  after: 'P1',
};
