import { TRAINING_DEFAULTS } from '../training/config.js';
import type { CollectedRun } from './collect.js';
import type { DeidentifierScores, Measured } from './deidentifier-scores.js';
import type { Measurements } from './measurements.js';
import { studentInterval } from './student.js';

/** A mean over the runs of a row. */
export interface Cell {
  readonly value: number;
  readonly interval: readonly [low: number, high: number] | null;
  /** Runs that the value is a mean over. */
  readonly runs: number;
}

/** What is compared between configurations; each says where it stands among the measurements. */
export const METRICS = {
  ownPrecision: (found) => found.own?.binaryToken.precision,
  ownRecall: (found) => found.own?.binaryToken.recall,
  ownF1: (found) => found.own?.binaryToken.f1,
  ownEntityF1: (found) => found.own?.entity.f1,
  releasedPrecision: (found) => noiseOff(found)?.binaryToken.precision,
  releasedRecall: (found) => noiseOff(found)?.binaryToken.recall,
  releasedF1: (found) => noiseOff(found)?.binaryToken.f1,
  releasedEntityF1: (found) => noiseOff(found)?.entity.f1,
  releasedNoisyF1: (found) => found.released?.noiseOn.binaryToken.f1,
  adversaryBefore: (found) => found.adversary?.before.success,
  adversaryUnseen: (found) => found.adversary?.unseen.success,
  adversaryLearned: (found) => found.adversary?.learned.success,
  twins: (found) => attack(found, 'known-noise-twins') ?? reversal(found, 'pseudonym-twins'),
  pair: (found) => attack(found, 'known-noise-pair'),
  word: (found) => attack(found, 'known-noise-word') ?? reversal(found, 'pseudonym-word'),
  bound: (found) => found.bounds?.certified.bound ?? reversal(found, 'pseudonym-twins'),
  boundMedian: (found) => exact(found.bounds?.certified.median),
  bound95: (found) => exact(found.bounds?.certified.percentile95),
  bound99: (found) => exact(found.bounds?.certified.percentile99),
  boundMaximum: (found) => exact(found.bounds?.certified.maximum),
  boundOver60: (found) => exact(found.bounds?.certified.shareOver60),
  entityBound: (found) => found.bounds?.entities?.bound,
} satisfies Record<string, (found: Measurements) => Found | undefined>;

export type Metric = keyof typeof METRICS;

interface Found extends Omit<Measured, 'interval'> {
  /** Null where one run alone says nothing of it. */
  readonly interval: Measured['interval'] | null;
}

/** The certified bound on pairs of one kind. */
export interface LimitSlice {
  /** `type`, `form`, `frequency` or `length`. */
  readonly by: string;
  readonly value: string;
  readonly pairs: number;
  readonly limit: Cell;
}

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
  readonly seeds: readonly number[];
  readonly cells: Readonly<Partial<Record<Metric, Cell>>>;
  /** Every seed has the same slices, since all are measured on the same pairs. */
  readonly slices: readonly LimitSlice[];
  /** Documents of training, validation and measuring. */
  readonly documents: readonly [train: number, validation: number, heldOut: number] | null;
  /** Epochs alone, a mean over the runs. */
  readonly trainingHours: number;
  /** Restrictions that a reader must know. */
  readonly notes: readonly string[];
}

const UNMOVED = new Set(['raw']);

/**
 * Runs of equal kind, variant and material make one row, whatever their seeds: settings that the kind
 * does not read keep none apart, nor do settings that an earlier version did not write.
 */
export function rowsOf(runs: readonly CollectedRun[]): Row[] {
  const groups = new Map<string, CollectedRun[]>();
  for (const each of runs) {
    const { kind, scheme, embeddings, corpus, config } = each.run;
    const alike = [kind, scheme, embeddings, corpus, variantOf(each.run), neighboursOf(each.run)];
    const key = JSON.stringify([...alike, config.audit]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const several = new Set(runs.map(({ run }) => run.embeddings)).size > 1;
  return [...groups.values()].map((group) => rowOf(group, several)).sort(byDesign);
}

/** N, or null where no word is replaced. */
function neighboursOf({ kind, config }: CollectedRun['run']): number | null {
  return UNMOVED.has(kind) ? null : config.neighbours;
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

function rowOf(runs: readonly CollectedRun[], nameEmbeddings: boolean): Row {
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
    seeds: runs.map((each) => each.run.config.seed).sort((a, b) => a - b),
    cells: cellsOf(measured),
    slices: slicesOf(measured),
    documents: facts ? [train, validation, heldOut] : null,
    trainingHours: seconds.reduce((sum, each) => sum + each, 0) / runs.length / 3600,
    notes: notesOf(runs),
  };
}

function cellsOf(measured: readonly Measurements[]): Row['cells'] {
  const cells: Partial<Record<Metric, Cell>> = {};
  for (const [metric, find] of Object.entries(METRICS)) {
    const found = measured.flatMap((each) => find(each) ?? []);
    if (found.length > 0) cells[metric as Metric] = cellOf(found);
  }
  return cells;
}

function slicesOf(measured: readonly Measurements[]): LimitSlice[] {
  const slices = measured.flatMap(({ bounds }) => bounds?.certified.slices ?? []);
  const groups = new Map<string, typeof slices>();
  for (const slice of slices) {
    const key = JSON.stringify([slice.by, slice.value]);
    groups.set(key, [...(groups.get(key) ?? []), slice]);
  }
  return [...groups.values()].map((group) => {
    const [{ by, value, trials }] = group;
    return { by, value, pairs: trials, limit: cellOf(group.map(({ bound }) => bound)) };
  });
}

/**
 * One run has its interval over documents. That of a mean over seeds has the luck of the seeds, by
 * Student's t, and that of the documents, which all seeds share, each as far as it goes: the root of
 * the sum of their squares. Two seeds are too few for that, and have what the intervals of both span.
 */
function cellOf(found: readonly Found[]): Cell {
  const values = found.map(({ value }) => value);
  const value = meanOf(values);
  const runs = found.length;
  if (runs === 1) return { value, interval: found[0].interval, runs };
  const own = found.map(({ value, interval }) => interval ?? ([value, value] as const));
  if (runs === 2) {
    const [lows, highs] = [own.map(([low]) => low), own.map(([, high]) => high)];
    return { value, interval: [Math.min(...lows), Math.max(...highs)], runs };
  }
  const [low, high] = studentInterval(values);
  const below = Math.hypot(value - low, meanOf(own.map(([end], i) => values[i] - end)));
  const above = Math.hypot(high - value, meanOf(own.map(([, end], i) => end - values[i])));
  return { value, interval: within([value - below, value + above]), runs };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function within([low, high]: readonly [number, number]): readonly [number, number] {
  return [Math.max(0, low), Math.min(1, high)];
}

function noiseOff(found: Measurements): DeidentifierScores | undefined {
  return found.released?.noiseOff;
}

function attack(found: Measurements, name: string): Measured | undefined {
  return found['known-noise']?.attacks[name]?.success;
}

/** The best attack on pseudonymised notes. */
function reversal(found: Measurements, name: string): Measured | undefined {
  return found.pseudonyms?.attacks[name]?.success;
}

function exact(value: number | undefined): Found | undefined {
  return value === undefined ? undefined : { value, interval: null };
}

/** `adv100/seed-3` and `adv100-s3` to `adv100`. */
function withoutSeed(name: string): string {
  return name.replace(/[/\\_-](?:seed-?|s)\d+$/i, '');
}

/** Settings that say nothing of a variant: the seed, and what a row shows anyway. */
const SHOWN_ELSEWHERE = new Set(['seed', 'neighbours', 'audit.maxEpochs', 'audit.patience']);

/** The sections that one kind of training alone reads. */
const USERS: Readonly<Record<string, string>> = {
  certified: 'certified',
  dann: 'dann',
  augmentation: 'augmented',
};

function section(key: string): string {
  return key.split('.')[0];
}

/** `lambda 0.3, alone` of the certified objective, `P3.patience 20`; empty for the defaults. */
function variantOf({ kind, config }: CollectedRun['run']): string {
  const isCertified = kind === 'certified';
  const isAlone = isCertified && config.P1.maxEpochs === 0;
  const isUnused = (key: string) => {
    const user = Object.hasOwn(USERS, section(key)) ? USERS[section(key)] : kind;
    return (
      user !== kind || (isCertified && config.certified.after === 'P1' && /^P[23]\./.test(key))
    );
  };
  const usual = flat(TRAINING_DEFAULTS);
  const differing = [...flat(config)].filter(([key, value]) => {
    const isSaid = key === 'certified.lambda' || (isAlone && key.startsWith('P1.'));
    return (
      !(isCertified && isSaid) &&
      !isUnused(key) &&
      !SHOWN_ELSEWHERE.has(key) &&
      usual.get(key) !== value
    );
  });
  return [
    // The frontier is drawn over it, so that it is said even where it is the default.
    ...(isCertified ? [`lambda ${config.certified.lambda}`] : []),
    ...(isAlone ? ['alone'] : []),
    ...differing.map(([key, value]) => `${key} ${value}`),
  ].join(', ');
}

function flat(value: object, prefix = ''): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [key, each] of Object.entries(value)) {
    if (typeof each !== 'object' || each === null) found.set(`${prefix}${key}`, each);
    else for (const [inner, own] of flat(each, `${prefix}${key}.`)) found.set(inner, own);
  }
  return found;
}

function notesOf(runs: readonly CollectedRun[]): string[] {
  const notes = new Set<string>();
  for (const { run, measurements } of runs) {
    for (const stage of new Set(run.epochs.map((epoch) => epoch.stage))) {
      const section: unknown = run.config[stage as keyof typeof run.config];
      const { maxEpochs = null } = { ...(section as { maxEpochs?: number } | undefined) };
      const epochs = run.epochs.filter((epoch) => epoch.stage === stage).length;
      if (epochs === maxEpochs) notes.add(`${stage} ended at its limit of ${maxEpochs} epochs`);
    }
    for (const [name, found] of Object.entries(measurements ?? {}))
      if (typeof found === 'object')
        for (const cut of found.shortened) notes.add(`${name}: ${cut}`);
  }
  const heldOut = new Set(runs.flatMap(({ measurements }) => measurements?.heldOut ?? []));
  if (heldOut.size > 1) notes.add('seeds measured on different notes');
  const unmeasured = runs.filter(({ measurements }) => !measurements?.own).length;
  if (unmeasured > 0) notes.add(`${unmeasured} of ${runs.length} runs not measured`);
  return [...notes];
}
