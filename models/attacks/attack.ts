import type { StageContext } from '../training/stage.js';
import type { Estimate } from './estimate.js';
import type { PairStatistics } from './pair-statistics.js';
import type { PairTrial } from './pair-trials.js';
import type { AuditTarget } from './target.js';

/** What one attack is given beside the target. Its work ends early once `expired` says so. */
export interface AttackContext extends StageContext {
  /** Attacks that the verdict looks at; corrected intervals hold for all of them together. */
  readonly comparisons: number;
  /** The pairs that all attacks share. */
  readonly trials: readonly PairTrial[];
  /** Δ² of each of the pairs, one value a draw of the input noise. */
  readonly distances: readonly Float32Array[];
}

/** One way of getting at what a release should hide. Equal seeds give equal reports. */
export interface Attack {
  /** Unique in an audit; names its randomness, its checkpoints and its reports. */
  readonly name: string;
  /** Its share of a limited time, relative to the other attacks. */
  readonly weight: number;
  /** How many reports it gives. */
  readonly reports: number;
  run(target: AuditTarget, context: AttackContext): Promise<AttackReport[]>;
}

/** What an attack wants to know. */
export type AttackTask =
  | 'tell a pair apart'
  | 'name the word'
  | 'read the PHI'
  | 'read other words'
  | 'find the sentence'
  | 'link two names';

/** What one attack could do. Every success is a lower limit on what attackers can do. */
export interface AttackReport {
  readonly name: string;
  /** For people: what the attacker has and does. */
  readonly description: string;
  readonly task: AttackTask;
  /** A baseline calibrates the attacks and says nothing of the representation. */
  readonly role: 'attack' | 'upper baseline' | 'lower baseline';
  readonly trials: number;
  readonly documents: number;
  /** How often it was right, on documents that it has not seen. */
  readonly success: Estimate;
  /** How often guessing without the vectors is right. */
  readonly chance: number;
  /** (success − chance) / (1 − chance): 0 for guessing, 1 for certainty. */
  readonly advantage: number;
  /** No attack on the same trials can succeed more often than this on average. */
  readonly limit: Estimate | null;
  readonly topTen: Estimate | null;
  readonly pairs: PairStatistics | null;
  readonly slices: readonly Slice[];
  readonly curves: readonly Curve[];
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** What was left out because time ran out. */
  readonly shortened: string | null;
}

export interface Slice {
  readonly by: string;
  readonly value: string;
  readonly trials: number;
  readonly success: Omit<Estimate, 'corrected'>;
}

/** Success against something that the attacker has more or less of. */
export interface Curve {
  readonly over: 'releases' | 'epochs' | 'notes';
  readonly points: readonly CurvePoint[];
}

export interface CurvePoint {
  readonly at: number;
  readonly success: number;
  readonly interval: readonly [number, number];
  readonly limit: number | null;
}
