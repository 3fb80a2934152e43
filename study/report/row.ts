import { meanOf } from '../../models/statistics/mean-of.js';
import type { EpochRecord } from '../../models/training/run/metrics-file.js';
import { groupedBy } from '../../platform/grouped-by.js';
import type { CollectedRun } from '../runs/collect.js';
import { MEASUREMENTS } from '../runs/measurements.js';
import { adversaryLearns, neighboursOf, variantOf } from '../runs/settings.js';
import type { Cell } from './cell.js';
import { cellsOf, type LimitSlice, type Metric, slicesOf } from './metrics.js';
import { type LearnedOn, learningOf, notesOf, notesOfOthers } from './row-notes.js';

/** One configuration, with all of its seeds. */
export interface Row {
  /** What the runs' directories are called, the seed left out. */
  readonly name: string;
  readonly kind: string;
  /** How it differs from the defaults, N apart. */
  readonly variant: string;
  /** N; null where no word is replaced. */
  readonly neighbours: number | null;
  readonly hasRepresentation: boolean;
  /** Each once, in rising order. */
  readonly seeds: readonly number[];
  readonly cells: Readonly<Partial<Record<Metric, Cell>>>;
  /** Whether the adversary had learned anything at the freeze. */
  readonly hasTaughtAdversary: boolean;
  readonly learnedOn: readonly LearnedOn[];
  /** Kinds of pairs of which any seed has enough. */
  readonly slices: readonly LimitSlice[];
  /** Documents of training, validation and measuring. */
  readonly documents: readonly [train: number, validation: number, heldOut: number] | null;
  /** Epochs alone, a mean over the runs. */
  readonly trainingHours: number;
  /**
   * The least loss on validation notes in the last phase that trains more than an adversary, a mean over the runs;
   * settings may be chosen by it.
   */
  readonly validationLoss: number;
  /** Restrictions that a reader must know. */
  readonly notes: readonly string[];
}

/**
 * Runs of equal kind, variant and material make one row, one run for each seed: settings that the kind
 * does not read keep none apart, nor do settings that an earlier version did not write.
 */
export function rowsOf(runs: readonly CollectedRun[]): Row[] {
  const several = new Set(runs.map(({ run }) => run.embeddings)).size > 1;
  return alikeBySeed(runs)
    .map((group) => rowOf(group, several))
    .sort(byDesign);
}

/** The runs of each row, whatever their seeds. */
function alikeBySeed(runs: readonly CollectedRun[]): CollectedRun[][] {
  const groups = groupedBy(runs, ({ run, hasRepresentation }) => {
    const { kind, scheme, embeddings, corpus, unlabelled, language, config } = run;
    const material = { scheme, embeddings, corpus, unlabelled, language };
    const alike = [kind, material, variantOf(run), neighboursOf(run)];
    return JSON.stringify([...alike, hasRepresentation ? config.audit : null]);
  });
  return [...groups.values()];
}

/** One configuration's runs, one for each seed, in the order in which configurations first come. */
export interface Series {
  /** What the runs' directories are called, the seed left out. */
  readonly name: string;
  readonly runs: readonly CollectedRun[];
}

export function seriesOf(runs: readonly CollectedRun[]): Series[] {
  return alikeBySeed(runs).map((group) => {
    const one = onePerSeed(group).runs;
    return { name: withoutSeed(one[0].name), runs: one };
  });
}

/** From no privacy to the most, then by N; variants by their numbers. */
function byDesign(a: Row, b: Row): number {
  const place = ({ kind }: Row) => (KINDS.includes(kind) ? KINDS.indexOf(kind) : KINDS.length);
  const number = ({ variant }: Row) => Number(/[\d.]+/.exec(variant)?.[0] ?? 0);
  return (
    place(a) - place(b) ||
    (a.neighbours ?? 0) - (b.neighbours ?? 0) ||
    number(a) - number(b) ||
    a.name.localeCompare(b.name)
  );
}

const KINDS = ['raw', 'augmented', 'pseudonymized', 'dann', 'adversarial', 'certified'];

function rowOf(group: readonly CollectedRun[], nameEmbeddings: boolean): Row {
  const { runs, others } = onePerSeed(group);
  const [{ name, run, hasRepresentation }] = runs;
  const measured = runs.flatMap(({ measurements }) => measurements ?? []);
  const facts = measured.find((each) => each.facts)?.facts;
  const heldOut = measured.find(({ own }) => own)?.own?.documents ?? 0;
  const { train = 0, validation = 0 } = facts?.documents ?? {};
  const seconds = runs.flatMap((each) => each.run.epochs.map((epoch) => epoch.seconds));
  return {
    name: withoutSeed(name),
    kind: run.kind,
    variant: [variantOf(run), nameEmbeddings ? facts?.embeddings : undefined]
      .filter((part) => part)
      .join(', '),
    neighbours: neighboursOf(run),
    hasRepresentation,
    seeds: runs.map((each) => each.run.config.seed),
    cells: cellsOf(measured),
    hasTaughtAdversary: hasRepresentation && runs.every((each) => adversaryLearns(each.run)),
    learnedOn: runs.flatMap(learningOf),
    slices: slicesOf(measured),
    documents: facts ? [train, validation, heldOut] : null,
    trainingHours: seconds.reduce((sum, each) => sum + each, 0) / runs.length / 3600,
    validationLoss: meanOf(runs.map((each) => leastLoss(each.run.epochs))),
    notes: [...notesOf(runs), ...notesOfOthers(others)],
  };
}

/** An adversary's own loss falls the more it tells. */
const ADVERSARY_ALONE = /^(adversary$|P2)/;

function leastLoss(epochs: readonly EpochRecord[]): number {
  const last = epochs.findLast(({ stage }) => !ADVERSARY_ALONE.test(stage))?.stage;
  const own = epochs.filter(({ stage }) => stage === last);
  return Math.min(...own.map(({ validation }) => validation.monitor));
}

/**
 * The run of each seed that has most measured, or the first of those: a seed that counted twice, as
 * that of a copy would, would make intervals too narrow.
 */
function onePerSeed(group: readonly CollectedRun[]) {
  const measured = ({ measurements }: CollectedRun) =>
    MEASUREMENTS.filter((each) => measurements?.[each]).length;
  const bySeed = (a: CollectedRun, b: CollectedRun) => a.run.config.seed - b.run.config.seed;
  const sorted = [...group].sort((a, b) => bySeed(a, b) || measured(b) - measured(a));
  const isFirst = (each: CollectedRun, i: number) => i === 0 || bySeed(sorted[i - 1], each) < 0;
  const runs = sorted.filter(isFirst);
  return { runs, others: sorted.filter((each) => !runs.includes(each)) };
}

/** `adv100/seed-3` and `adv100-s3` to `adv100`. */
function withoutSeed(name: string): string {
  return name.replace(/[/\\_-](?:seed-?|s)\d+$/i, '');
}
