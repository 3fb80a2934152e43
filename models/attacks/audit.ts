import { TacetError } from '../../proto/errors.js';
import { Random } from '../tensor/random.js';
import type { StageContext } from '../training/stage.js';
import type { Attack, AttackReport } from './attack.js';
import type { AuditDirectory } from './audit-directory.js';
import { type CertifiedBoundReport, certifiedBound } from './certified-bound.js';
import { twinDistances } from './distances.js';
import { type EntityBoundReport, entityBound } from './entity-bound.js';
import { pairTrials } from './pair-trials.js';
import type { AuditTarget } from './target.js';
import { contradictsLimit, strongestFirst, verdict } from './verdict.js';
import { type WorstCaseBound, worstCaseBound } from './worst-case-bound.js';

export interface AuditOptions extends Pick<StageContext, 'signal' | 'progress'> {
  readonly seed: number;
  /** SHA-256 of the bundle that is attacked. */
  readonly model: string;
  /** In the order that they run in; where time is short the last ones suffer. */
  readonly attacks: readonly Attack[];
  /** How often each test sentence makes a pair. */
  readonly rounds?: number;
  /** Draws of the input noise a pair, for the bounds. */
  readonly draws?: number;
  /** After so many minutes attacks end early or are left out; the report says which. */
  readonly minutes?: number | undefined;
  /** Where finished attacks and checkpoints are kept, to go on from. */
  readonly directory?: AuditDirectory | undefined;
}

/** What the attacks could do to one bundle: counts and scores, no text. */
export interface AuditReport {
  readonly format: 'tacet-audit-2';
  /** SHA-256 of the bundle. */
  readonly model: string;
  readonly seed: number;
  /** N, the number of candidates that a moved word is drawn from. */
  readonly candidates: number;
  /** Documents that attackers learned from, stopped by, and were measured on. */
  readonly documents: {
    readonly train: number;
    readonly validation: number;
    readonly test: number;
  };
  /** A sentence for people. */
  readonly verdict: string;
  /** Strongest first. */
  readonly attacks: readonly AttackReport[];
  /** The same attacks where they must succeed or fail. */
  readonly baselines: readonly AttackReport[];
  readonly certified: CertifiedBoundReport;
  readonly entities: EntityBoundReport;
  readonly worstCase: WorstCaseBound;
  /** Attacks that beat a limit on all attacks: a mistake in one of them. */
  readonly contradictions: readonly string[];
  /** What this audit would have done with more time. */
  readonly leftOut: readonly string[];
  /** Attacks that are known and were not tried at all. */
  readonly notTried: readonly string[];
}

const DRAWS = 16;
const ROUNDS = 2;
const ENTITIES = 400;
const LEAST_PAIRS = 10;

/** Known attacks that are not built. */
const NOT_TRIED = [
  'several hidden words of a sentence at once, with a language model as prior',
  'whether a sentence was in the training data of the provider (membership)',
  'sex or age group of a person from the vectors (attributes)',
  'attackers with more labelled notes than this audit had',
];

/** Attacks a frozen representation with everything there is, beside the bounds on all attacks. */
export async function audit(target: AuditTarget, options: AuditOptions): Promise<AuditReport> {
  const { seed, model, attacks, signal, progress, directory, minutes } = options;
  const { rounds = ROUNDS, draws = DRAWS } = options;
  const random = new Random(seed).fork('audit');
  const startedMs = performance.now();
  const untilMs = minutes === undefined ? Number.POSITIVE_INFINITY : startedMs + minutes * 60_000;
  const trials = pairTrials(target, target.test, rounds, random.fork('trials'));
  if (trials.length < LEAST_PAIRS)
    throw new TacetError(
      'corpus-invalid',
      `the notes to measure on hold ${trials.length} PHI words that could move; an audit needs ${LEAST_PAIRS}: give more labelled notes`,
    );
  const distances = await twinDistances(
    target,
    trials.map(({ example, twin }) => ({ ids: example.ids, twin })),
    draws,
    random.fork('distances'),
    { signal, progress },
  );
  const comparisons = attacks.reduce((sum, { reports }) => sum + reports, 0);
  const shared = { comparisons, trials, distances, signal, progress, run: directory?.run };
  const certified = certifiedBound(shared);
  const entities = await entityBound(target, draws, ENTITIES, random.fork('entities'), shared);
  const done: AttackReport[] = [];
  const leftOut: string[] = [];
  for (const [i, attack] of attacks.entries()) {
    const finished = await directory?.finished(attack.name);
    const nowMs = performance.now();
    if (!finished && nowMs > untilMs) {
      leftOut.push(`${attack.name}: not run`);
      continue;
    }
    const weights = attacks.slice(i).reduce((sum, { weight }) => sum + weight, 0);
    const shareMs = ((untilMs - nowMs) * attack.weight) / weights;
    const expired = () => performance.now() > nowMs + shareMs;
    const own = { ...shared, random: random.fork(attack.name), expired };
    const reports = finished ?? (await attack.run(target, own));
    if (!finished) await directory?.finish(attack.name, reports);
    done.push(...reports);
  }
  for (const { name, shortened } of done) if (shortened) leftOut.push(`${name}: ${shortened}`);
  const tried = strongestFirst(done.filter(({ role }) => role === 'attack'));
  return {
    format: 'tacet-audit-2',
    model,
    seed,
    candidates: target.candidates.count,
    documents: {
      train: documentsOf(target.train),
      validation: documentsOf(target.validation),
      test: documentsOf(target.test),
    },
    verdict: verdict(tried, certified),
    attacks: tried,
    baselines: done.filter(({ role }) => role !== 'attack'),
    certified,
    entities,
    worstCase: worstCaseBound(target.representation, medianLength(target)),
    contradictions: done.filter(contradictsLimit).map(({ name }) => name),
    leftOut,
    notTried: NOT_TRIED,
  };
}

function documentsOf(examples: AuditTarget['test']): number {
  return new Set(examples.map(({ documentIndex }) => documentIndex)).size;
}

function medianLength({ test }: AuditTarget): number {
  const lengths = test.map(({ ids }) => ids.length).sort((a, b) => a - b);
  return lengths[lengths.length >> 1] ?? 1;
}
