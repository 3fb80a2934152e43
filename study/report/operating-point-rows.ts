import { curveIntervals } from '../../models/evaluation/operating-curve.js';
import { type Judged, judge } from '../measures/operating-points.js';
import type { DeidentifierScores, Measured } from '../runs/deidentifier-scores.js';
import { type Material, Subject, type Work } from '../runs/subject.js';
import { type Cell, cellOf, differenceOf } from './cell.js';
import type { Series } from './row.js';

/** Recall of PHI tokens at one precision. */
export interface RecallAt {
  readonly precision: number;
  readonly recall: Cell;
  readonly bySeed: readonly number[];
  /** By how much it is above that of the first row, over the seeds that both have; null for that row, and without any. */
  readonly above: (Cell & { readonly bySeed: readonly number[] }) | null;
}

/** What the runs of one configuration find on the same documents. */
export interface OperatingRow {
  readonly name: string;
  readonly seeds: readonly number[];
  /** By the most likely labels: tokens, PHI or not, and strict entities. */
  readonly precision: Cell;
  readonly recall: Cell;
  readonly f1: Cell;
  readonly entityF1: Cell;
  readonly at: readonly RecallAt[];
}

interface JudgedSeries {
  readonly name: string;
  readonly seeds: readonly number[];
  readonly judged: ReadonlyMap<number, Judged>;
}

/**
 * Recall of PHI tokens at each of `precisions` of finished runs on the held-out documents of `material`, where no
 * threshold has a precision 0. Intervals are over documents and seeds; what a row has above the first is taken on the
 * same documents with the same seed.
 */
export async function operatingRows(
  series: readonly Series[],
  material: Material,
  precisions: readonly number[],
  work: Work & { readonly say?: (line: string) => void },
): Promise<OperatingRow[]> {
  const all: JudgedSeries[] = [];
  for (const { name, runs } of series) {
    const judged = new Map<number, Judged>();
    for (const { name: directory, run } of runs) {
      const subject = await Subject.open(run, material);
      try {
        judged.set(run.config.seed, await judge(subject.tagger, subject.heldOut, work));
      } finally {
        subject.dispose();
      }
      work.say?.(`${directory}: judged`);
    }
    all.push({ name, seeds: [...judged.keys()], judged });
  }
  return all.map((one, i) => rowOf(one, i === 0 ? undefined : all[0], precisions));
}

function rowOf(
  { name, seeds, judged }: JudgedSeries,
  first: JudgedSeries | undefined,
  precisions: readonly number[],
): OperatingRow {
  const runs = [...judged.values()];
  const cell = (measured: (scores: DeidentifierScores) => Measured) =>
    cellOf(runs.map(({ decoded }) => measured(decoded)));
  const own = runs.map((run) => recallsOf([run], precisions));
  const pairs = [...judged].flatMap(([seed, run]) => {
    const other = first?.judged.get(seed);
    return other ? [recallsOf([run, other], precisions)] : [];
  });
  return {
    ...{ name, seeds },
    precision: cell(({ binaryToken }) => binaryToken.precision),
    recall: cell(({ binaryToken }) => binaryToken.recall),
    f1: cell(({ binaryToken }) => binaryToken.f1),
    entityF1: cell(({ entity }) => entity.f1),
    at: precisions.map((precision, i) => {
      const found = own.map((each) => each[i]);
      const above = pairs.map((each) => each[i]);
      return {
        ...{ precision, recall: cellOf(found), bySeed: found.map(({ value }) => value) },
        above:
          above.length > 0
            ? { ...differenceOf(above), bySeed: above.map(({ value }) => value) }
            : null,
      };
    }),
  };
}

/** Of one run its recalls, of two the differences of the first to the second, with intervals over documents. */
function recallsOf(
  [run, other]: readonly [Judged, Judged?],
  precisions: readonly number[],
): Measured[] {
  const statistics = (weights: Uint32Array) => {
    const own = run.curve.recalls(precisions, weights);
    const others = other?.curve.recalls(precisions, weights);
    return own.map((recall, i) => recall - (others?.[i] ?? 0));
  };
  const values = statistics(new Uint32Array(run.curve.size).fill(1));
  const intervals = curveIntervals(run.curve.size, statistics);
  const anything = [other ? -1 : 0, 1] as const;
  return values.map((value, i) => ({ value, interval: [...(intervals[i] ?? anything)] }));
}
