import type { Estimate } from '../statistics/estimate.js';
import type { StageContext } from '../training/stage-context.js';
import type { AttackFamily, AttackId } from './attack-ids.js';
import type { PairStatistics } from './likelihood/pair-statistics.js';
import type { PairTrial } from './likelihood/pair-trials.js';
import type { Statement } from './statement.js';
import type { AuditTarget } from './target.js';

/** What an attack is given beside the target. It ends its work early once `expired()` is true. */
export interface AttackContext extends StageContext {
  /** How many reports the audit's verdict chooses from; corrected intervals hold for all of them together. */
  readonly comparisons: number;
  /** Milliseconds left of a limited time. */
  readonly msLeft?: () => number;
  /** The pairs that all attacks share. */
  readonly trials: readonly PairTrial[];
  /** Δ² of each of the pairs, one value a draw of the input noise. */
  readonly distances: readonly Float32Array[];
}

/**
 * One way of finding out what a release should hide. It prepares on the attacker's own notes, runs on
 * releases of notes that it has not seen, and reports. Equal seeds give equal reports.
 */
export interface Attack<Prepared = unknown, Found = unknown> {
  /** Unique in an audit; names its randomness, its checkpoints and its reports. */
  readonly name: string;
  /** How long it is expected to take on two cores; with less time it is left out. */
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

/** Prepares and runs an attack, and returns its reports. */
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
  'name the entity',
  'name the replaced entity',
  'read the PHI',
  'read other words',
  'read a word of a known sentence',
  'find the sentence',
  'confirm a sentence',
  'confirm a note',
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
  /** What it speaks of; added by the audit, which knows what was attacked. Audits before format 7 do not say. */
  readonly statement?: Statement;
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
  /** The certified limit: no attack on the same trials can succeed more often on average. */
  readonly limit: Estimate | null;
  readonly topTen: Estimate | null;
  /** Of attacks that choose from a short list. */
  readonly topFive?: Estimate;
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
  /** How often guessing is right there, where that was tried or is known trial by trial. */
  readonly chance?: number;
}

export const CURVES = ['releases', 'epochs', 'epochs on its own notes', 'notes'] as const;

/** Success by how much the attacker has of something: releases, notes, epochs of learning. */
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
