import { NATURAL, SHARE } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, mapOf, ofType, pairOf, type TypeOf } from '../../proto/typed-schema.js';
import { ESTIMATE, estimateOf } from '../statistics/estimate.js';
import type { Origins } from '../statistics/origins.js';
import type { StageContext } from '../training/run/stage-context.js';
import { ATTACK_FAMILIES, ATTACK_IDS, type AttackId } from './attack-ids.js';
import { PAIR_STATISTICS } from './likelihood/pair-statistics.js';
import type { PairTrial } from './likelihood/pair-trials.js';
import { STATEMENTS } from './statement.js';
import type { AuditTarget } from './target.js';

/** What an attack is given beside the target. It ends its work early once `expired()` is true. */
export interface AttackContext extends StageContext {
  /** How many reports the audit's verdict chooses from; corrected intervals hold for all of them together. */
  readonly comparisons: number;
  /** Of the target: intervals take documents that belong together for one. */
  readonly origins?: Origins | undefined;
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

export const SLICE = closedObject({
  by: Type.String(),
  value: Type.String(),
  trials: NATURAL,
  success: closedObject({ value: SHARE, interval: pairOf(SHARE) }),
  /** How often guessing is right there, where that was tried or is known trial by trial. */
  chance: Type.Optional(SHARE),
});
export type Slice = TypeOf<typeof SLICE>;

const CURVE = closedObject({
  over: Type.Enum(['releases', 'epochs', 'epochs on its own notes', 'notes']),
  points: Type.Array(
    closedObject({
      at: Type.Number(),
      success: SHARE,
      interval: pairOf(SHARE),
      limit: Type.Union([Type.Null(), SHARE]),
    }),
  ),
});

/** Success by how much the attacker has of something: releases, notes, epochs of learning. */
export type Curve = TypeOf<typeof CURVE>;

export const ATTACK_REPORT = closedObject({
  name: Type.String(),
  attack: Type.Enum(Object.keys(ATTACK_IDS) as AttackId[]),
  family: Type.Enum(ATTACK_FAMILIES),
  /** For people: what the attacker has and does. */
  description: Type.String(),
  task: Type.Enum(ATTACK_TASKS),
  /** What it speaks of; added by the audit, which knows what was attacked. Audits before format 7 do not say. */
  statement: Type.Optional(Type.Enum(STATEMENTS)),
  /** A baseline calibrates the attacks and says nothing of the representation. */
  role: Type.Enum(['attack', 'upper baseline', 'lower baseline']),
  trials: NATURAL,
  documents: NATURAL,
  /** How often it was right, on documents that it has not seen. */
  success: ESTIMATE,
  /** How often guessing without the vectors is right. */
  chance: SHARE,
  /** Success less guessing, trial by trial where guessing was tried on the same trials. */
  gain: estimateOf(Type.Number({ minimum: -1, maximum: 1 })),
  /** gain / (1 − chance): 0 for guessing, 1 for certainty. */
  advantage: Type.Number({ maximum: 1 }),
  /** The certified limit: no attack on the same trials can succeed more often on average. */
  limit: Type.Union([Type.Null(), ESTIMATE]),
  topTen: Type.Union([Type.Null(), ESTIMATE]),
  /** Of attacks that choose from a short list. */
  topFive: Type.Optional(ESTIMATE),
  pairs: Type.Union([Type.Null(), PAIR_STATISTICS]),
  slices: Type.Array(SLICE),
  curves: Type.Array(CURVE),
  settings: mapOf(ofType('string', 'number', 'boolean')),
  /** What was left out because time ran out. */
  shortened: Type.Union([Type.Null(), Type.String()]),
});

/** What one attack could do. Every success is a lower limit on what attackers can do. */
export type AttackReport = TypeOf<typeof ATTACK_REPORT>;
