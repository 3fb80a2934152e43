import type { Estimate } from '../statistics/estimate.js';
import type { StageContext } from '../training/stage-context.js';
import type { AttackFamily, AttackId } from './attack-ids.js';
import type { PairStatistics } from './likelihood/pair-statistics.js';
import type { PairTrial } from './likelihood/pair-trials.js';
import type { AuditTarget } from './target.js';

/** What one attack is given beside the target. Its work ends early once `expired` says so. */
export interface AttackContext extends StageContext {
  /** Attacks that the verdict looks at; corrected intervals hold for all of them together. */
  readonly comparisons: number;
  /** What is left of a limited time. */
  readonly msLeft?: () => number;
  /** The pairs that all attacks share. */
  readonly trials: readonly PairTrial[];
  /** Δ² of each of the pairs, one value a draw of the input noise. */
  readonly distances: readonly Float32Array[];
}

/**
 * One way of getting at what a release should hide: it prepares on the attacker's own notes, runs on
 * the releases of unseen ones, and reports. Equal seeds give equal reports.
 */
export interface Attack<Prepared = unknown, Found = unknown> {
  /** Unique in an audit; names its randomness, its checkpoints and its reports. */
  readonly name: string;
  /** With less time than this, on two cores, it is left out rather than cut short. */
  readonly minutes: number;
  /** How many reports it gives. */
  readonly reports: number;
  /** Why the target's notes do not allow this attack; undefined where they do. */
  obstacle?(target: AuditTarget): string | undefined;
  prepare(target: AuditTarget, context: AttackContext): Promise<Prepared>;
  /** Disposes of what was prepared. */
  run(target: AuditTarget, context: AttackContext, prepared: Prepared): Promise<Found>;
  report(found: Found, context: AttackContext): AttackReport[];
}

/** All of one attack. */
export async function conduct(
  attack: Attack,
  target: AuditTarget,
  context: AttackContext,
): Promise<AttackReport[]> {
  const prepared = await attack.prepare(target, context);
  return attack.report(await attack.run(target, context, prepared), context);
}

/** What an attack wants to know. */
export const ATTACK_TASKS = [
  'tell a pair apart',
  'name the word',
  'name several words',
  'read the PHI',
  'read other words',
  'find the sentence',
  'link two names',
  'infer the sex',
  'infer the age group',
  'recognise training notes',
] as const;
export type AttackTask = (typeof ATTACK_TASKS)[number];

/** What one attack could do. Every success is a lower limit on what attackers can do. */
export interface AttackReport {
  readonly name: string;
  readonly attack: AttackId;
  readonly family: AttackFamily;
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
  /** Success less guessing, trial by trial where guessing was tried on the same trials. */
  readonly gain: Estimate;
  /** gain / (1 − chance): 0 for guessing, 1 for certainty. */
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

export const CURVES = ['releases', 'epochs', 'epochs on its own notes', 'notes'] as const;

/** Success against something that the attacker has more or less of. */
export interface Curve {
  readonly over: (typeof CURVES)[number];
  readonly points: readonly CurvePoint[];
}

export interface CurvePoint {
  readonly at: number;
  readonly success: number;
  readonly interval: readonly [number, number];
  readonly limit: number | null;
}
