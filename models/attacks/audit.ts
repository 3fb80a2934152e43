import { TacetError } from '../../proto/errors.js';
import { documentsOf, LEAST_DOCUMENTS } from '../statistics/estimate.js';
import { Random } from '../tensor/random.js';
import { pairSource } from '../training/data/pairs.js';
import type { StageContext } from '../training/run/stage-context.js';
import type { Attack, AttackReport } from './attack.js';
import { statementOf } from './attack-statement.js';
import { attacksWithin } from './attacks-within.js';
import { certifiedBound } from './certified-bound.js';
import { containingNeighbours } from './containing-neighbours.js';
import { twinDistances } from './distances.js';
import { entityBound } from './entity-bound.js';
import { pairTrials } from './likelihood/pair-trials.js';
import { randomSwaps } from './random-swaps.js';
import type { AuditDirectory } from './report/audit-directory.js';
import { type AuditReport, NOT_RUN } from './report/audit-report.js';
import { strongestFirst } from './report/guessing.js';
import { tellingAttacks } from './report/telling-attacks.js';
import { contradictsLimit, verdict } from './report/verdict.js';
import type { AuditTarget } from './target.js';
import { worstCaseBound } from './worst-case-bound.js';

export interface AuditOptions extends Pick<StageContext, 'signal' | 'progress'> {
  readonly seed: number;
  /** SHA-256 of the bundle that is attacked. */
  readonly model: string;
  readonly attacked?: AuditReport['attacked'];
  /** The most telling first; where time is short the last ones are left out. */
  readonly attacks: readonly Attack[];
  /** How often each test sentence makes a pair. */
  readonly rounds?: number;
  /** Draws of the input noise a pair, for the bounds. */
  readonly draws?: number;
  /** With less time than all attacks take, some end early or are left out; the report says which. */
  readonly minutes?: number | undefined;
  /** When the minutes began, by `performance.now()`; by default when `audit` is called. */
  readonly startedMs?: number;
  /** Keeps finished attacks and checkpoints, from which an interrupted audit continues. */
  readonly directory?: AuditDirectory | undefined;
}

const DRAWS = 16;
const ROUNDS = 2;
const ENTITIES = 400;
const LEAST_PAIRS = 10;

/** Known attacks that no audit here tries. */
const NEVER_TRIED = [
  'membership by shadow models that are trained with and without a sentence (the attack here knows this one model)',
  'linkage by likelihood under the published model; the attack here learns to link',
  'attackers with more labelled notes than this audit had, or with other knowledge of a patient',
  'several hidden words with a large language model as prior; the one used here is a bigram model',
];

/** Where entities were replaced, besides. */
const NEVER_TRIED_ON_REPLACED = [
  'several copies of a note together (`encode --copies`), whose noise averages: the releases of all copies were attacked, each by itself',
];
const NOT_READ_AGAIN =
  'sentences with an entity of notes in which a second reader replaced anything: no reader was named (`--reader`), and they count here as not released';
const READ_BY_OTHERS =
  'sentences with an entity of notes in which another second reader than the one named, or the same with another threshold, replaced anything: they count here as not released';

/** For people: what an audit leaves out of the notes to measure on, if anything. */
export function amongMembersText(count: number): string {
  return `${count} of the auditor’s notes to measure on that are among the provider’s training notes, or nearly the same as one of them`;
}

/** Beside what is true of any audit. */
function notTriedOn({
  replaced,
  readAgain,
  partlyReleased = 0,
  membersLeftOut = 0,
}: AuditTarget): string[] {
  const whichLeftInPart =
    `pieces of ${partlyReleased} measured sentences that left in part, since few notes have the labels of the rest: ` +
    'they count here as not released';
  return [
    ...(replaced ? NEVER_TRIED_ON_REPLACED : []),
    ...(replaced ? [readAgain ? READ_BY_OTHERS : NOT_READ_AGAIN] : []),
    ...(partlyReleased > 0 ? [whichLeftInPart] : []),
    ...(membersLeftOut > 0
      ? [`${amongMembersText(membersLeftOut)}: nothing was measured on them`]
      : []),
  ];
}

/** Runs attacks on a frozen representation, and computes the certified limits on all attacks beside them. */
export async function audit(target: AuditTarget, options: AuditOptions): Promise<AuditReport> {
  requirePairs(target);
  requireDocuments(target);
  const { seed, model, attacks, signal, progress, directory, minutes } = options;
  const { attacked = 'bundle', rounds = ROUNDS, draws = DRAWS } = options;
  const random = new Random(seed).fork('audit');
  const { startedMs = performance.now() } = options;
  const untilMs = minutes === undefined ? Number.POSITIVE_INFINITY : startedMs + minutes * 60_000;
  const trials = pairTrials(target, target.test, rounds, random.fork('trials'));
  const distances = await twinDistances(
    target,
    trials.map(({ example, twin }) => ({ ids: example.ids, twin })),
    draws,
    random.fork('distances'),
    { signal, progress },
  );
  const possible = attacks.filter((attack) => attack.obstacle?.(target) === undefined);
  const comparisons = Math.max(
    1,
    possible.reduce((sum, { reports }) => sum + reports, 0),
  );
  const { origins } = target;
  const shared = { comparisons, origins, trials, distances, signal, progress, run: directory?.run };
  const certified = certifiedBound(shared);
  const entities = await entityBound(target, draws, ENTITIES, random.fork('entities'), shared);
  const swaps = await randomSwaps(target, draws, ENTITIES, random.fork('swaps'), shared);
  const { reports, notRun } = await attacksWithin(possible, target, {
    untilMs,
    directory,
    contextOf: ({ name }) => ({ ...shared, random: random.fork(name) }),
  });
  const isReplaced = attacked === 'replaced-contribution';
  const done = reports.map((report) => withStatement(report, isReplaced));
  const isAttack = ({ role }: AttackReport) => role === 'attack';
  const tried = strongestFirst(done.filter(isAttack), shared);
  const baselines = done.filter((report) => !isAttack(report));
  const telling = tellingAttacks(tried, baselines, shared);
  return {
    format: 'tacet-audit-7',
    model,
    attacked,
    seed,
    candidates: target.candidates.count,
    documents: documentCounts(target),
    comparisons,
    verdict: verdict(telling, certified, shared),
    attacks: tried,
    baselines,
    certified,
    entities,
    swaps,
    neighbours: containingNeighbours(target),
    worstCase:
      attacked === 'raw-embeddings'
        ? null
        : worstCaseBound(target.representation, medianLength(target)),
    contradictions: done.filter(contradictsLimit).map(({ name }) => name),
    leftOut: leftOutOf(done, notRun),
    notTried: [
      ...new Set(attacks.flatMap((each) => each.obstacle?.(target) ?? [])),
      ...NEVER_TRIED,
      ...notTriedOn(target),
    ],
  };
}

function withStatement(report: AttackReport, isReplaced: boolean): AttackReport {
  const statement = statementOf(report.task, isReplaced);
  return statement === undefined ? report : { ...report, statement };
}

function documentCounts({ train, validation, test }: AuditTarget): AuditReport['documents'] {
  return {
    train: documentsOf(train),
    validation: documentsOf(validation),
    test: documentsOf(test),
  };
}

/** What time was too short for: attacks that did not run, and parts of those that did. */
function leftOutOf(done: readonly AttackReport[], notRun: readonly Attack[]): string[] {
  return [
    ...notRun.map(({ name }) => `${name}${NOT_RUN}`),
    ...done.flatMap(({ name, shortened }) => (shortened ? [`${name}: ${shortened}`] : [])),
  ];
}

/** Throws `corpus-invalid` where there is nothing to learn from or too little to measure on. */
function requirePairs({ candidates, ...parts }: AuditTarget): void {
  for (const [part, least] of [
    ['train', 1],
    ['validation', 1],
    ['test', LEAST_PAIRS],
  ] as const) {
    const found = pairSource(parts[part], candidates).positions.size;
    if (found >= least) continue;
    throw new TacetError(
      'corpus-invalid',
      `the ${part} part of the auditor's notes has ${found} sentences with PHI that can move, an audit ` +
        `needs ${least}; give more labelled notes`,
    );
  }
}

/** Throws `corpus-invalid` where the notes to measure on are too few to tell luck from leaks. */
function requireDocuments({ test }: AuditTarget): void {
  const found = documentsOf(test);
  if (found >= LEAST_DOCUMENTS) return;
  throw new TacetError(
    'corpus-invalid',
    `the test part of the auditor's notes has ${found} notes, an audit needs ${LEAST_DOCUMENTS} to see how ` +
      'notes differ; give more labelled notes',
  );
}

function medianLength({ test }: AuditTarget): number {
  const lengths = test.map(({ ids }) => ids.length).sort((a, b) => a - b);
  return lengths[lengths.length >> 1] ?? 1;
}
