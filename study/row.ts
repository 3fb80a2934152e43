import { type Cell, cellOf, type Found } from './cell.js';
import type { CollectedRun } from './collect.js';
import type { DeidentifierScores, Measured } from './deidentifier-scores.js';
import { MEASUREMENTS, type Measurements } from './measurements.js';
import { adversaryLearns, neighboursOf, variantOf } from './settings.js';

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

/** The certified bound on pairs of one kind. */
export interface LimitSlice {
  /** `type`, `form`, `frequency` or `length`. */
  readonly by: string;
  readonly value: string;
  readonly pairs: number;
  readonly limit: Cell;
}

/** How long the adversary of one seed learned on. */
export interface LearnedOn {
  readonly seed: number;
  readonly epochs: number;
  /** By pairs of the validation notes. */
  readonly bestEpoch: number;
  /** The most epochs that the run's `audit` section allows. */
  readonly maxEpochs: number;
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
  /** Each once, in rising order. */
  readonly seeds: readonly number[];
  readonly cells: Readonly<Partial<Record<Metric, Cell>>>;
  /** Whether the adversary had learned anything at the freeze. */
  readonly hasTaughtAdversary: boolean;
  readonly learnedOn: readonly LearnedOn[];
  /** Every seed has the same slices, since all are measured on the same pairs. */
  readonly slices: readonly LimitSlice[];
  /** Documents of training, validation and measuring. */
  readonly documents: readonly [train: number, validation: number, heldOut: number] | null;
  /** Epochs alone, a mean over the runs. */
  readonly trainingHours: number;
  /** Restrictions that a reader must know. */
  readonly notes: readonly string[];
}

/**
 * Runs of equal kind, variant and material make one row, one run for each seed: settings that the kind
 * does not read keep none apart, nor do settings that an earlier version did not write.
 */
export function rowsOf(runs: readonly CollectedRun[]): Row[] {
  const groups = new Map<string, CollectedRun[]>();
  for (const each of runs) {
    const { kind, scheme, embeddings, corpus, config } = each.run;
    const alike = [kind, scheme, embeddings, corpus, variantOf(each.run), neighboursOf(each.run)];
    const key = JSON.stringify([...alike, each.hasRepresentation ? config.audit : null]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const several = new Set(runs.map(({ run }) => run.embeddings)).size > 1;
  return [...groups.values()].map((group) => rowOf(group, several)).sort(byDesign);
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
    notes: [...notesOf(runs), ...notesOfOthers(others)],
  };
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

function notesOfOthers(others: readonly CollectedRun[]): string[] {
  const names = others.map(({ name }) => name).join(', ');
  return names === '' ? [] : [`left out, since their seed is here already: ${names}`];
}

function learningOf({ run, measurements }: CollectedRun): LearnedOn[] {
  if (!measurements?.adversary) return [];
  const { epochs, bestEpoch } = measurements.adversary;
  const { seed, audit } = run.config;
  return [{ seed, epochs, bestEpoch, maxEpochs: audit.maxEpochs }];
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

function notesOf(runs: readonly CollectedRun[]): string[] {
  const notes = new Set<string>();
  for (const { run, measurements } of runs) {
    for (const stage of new Set(run.epochs.map((epoch) => epoch.stage))) {
      const section: unknown = run.config[stage as keyof typeof run.config];
      const { maxEpochs = null } = { ...(section as { maxEpochs?: number } | undefined) };
      const epochs = run.epochs.filter((epoch) => epoch.stage === stage).length;
      if (epochs === maxEpochs) notes.add(`${stage} ended at its limit of ${maxEpochs} epochs`);
    }
    if (measurements?.bounds?.inequality)
      notes.add('its limit rests on a looser inequality, and has no entities');
    for (const [name, found] of Object.entries(measurements ?? {}))
      if (typeof found === 'object')
        for (const cut of found.shortened) notes.add(`${name}: ${cut}`);
  }
  const isUntaught = ({ run, measurements }: CollectedRun) =>
    measurements?.adversary && !adversaryLearns(run);
  if (runs.some(isUntaught)) notes.add('the adversary learned nothing before the freeze');
  for (const { epochs, maxEpochs } of runs.flatMap(learningOf))
    if (epochs === maxEpochs)
      notes.add(`the adversary learned on to its limit of ${epochs} epochs`);
  const heldOut = new Set(runs.flatMap(({ measurements }) => measurements?.heldOut ?? []));
  if (heldOut.size > 1) notes.add('seeds measured on different notes');
  const unmeasured = runs.filter(({ measurements }) => !measurements?.own).length;
  if (unmeasured > 0) notes.add(`${unmeasured} of ${runs.length} runs not measured`);
  return [...notes];
}
