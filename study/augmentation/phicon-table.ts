import { addCounts, type Counts, NO_COUNTS, scoreOf } from '../../models/evaluation/score.js';
import { bootstrapIntervals, type Interval } from '../../models/statistics/bootstrap.js';
import { meanOf } from '../../models/statistics/mean-of.js';
import { studentInterval } from '../../models/statistics/student.js';
import { groupedBy } from '../../platform/grouped-by.js';
import { type Cell, cellOf } from '../report/cell.js';
import type { DocumentCounts, PhiconResult } from './phicon.js';

/** One line of the table: means over seeds on one corpus. */
export interface PhiconLine {
  readonly corpus: string;
  readonly tagger: string;
  readonly row: string;
  readonly share: number;
  readonly alpha: number;
  /** Tokens, PHI or not; the interval has seeds and documents in it. */
  readonly f1: Cell;
  readonly precision: number;
  readonly recall: number;
  /** Of tokens that are of the category on both sides. */
  readonly categories: Readonly<Record<string, number>>;
  /** Less what the same seeds have without augmentation; null in that row, and where it is not there. */
  readonly gain: PhiconGain | null;
}

export interface PhiconGain {
  readonly value: number;
  /**
   * 95 %: of a bootstrap in which both sides and all seeds have the same documents, and, of three seeds or more, by
   * Student's t over these, which differ in the notes that they learned from.
   */
  readonly interval: Interval;
  readonly bySeed: readonly number[];
}

/** What a gain of F1 may be. */
const ANY_GAIN: Interval = [-1, 1];

/** Equal for every line, so that all are resampled alike. */
const BOOTSTRAP_SEED = 1;

/**
 * The paper's Tables 3 and 4 and its Figure 4 in long form, corpus by corpus. What no run measured has no line, and a
 * category that no run met no number: neither is a zero.
 */
export function phiconLines(results: readonly PhiconResult[]): PhiconLine[] {
  const corpora = [...new Set(results.flatMap((each) => Object.keys(each.corpora)))];
  const groups = groupedBy(results, keyOf);
  return corpora.flatMap((corpus) =>
    [...groups.values()].flatMap((all) => {
      const runs = all.filter((run) => corpus in run.corpora);
      const bare = groups.get(bareKeyOf(all[0])) ?? [];
      return runs.length === 0 ? [] : [lineOf(corpus, runs, bare)];
    }),
  );
}

function keyOf({ tagger, row, share, alpha }: PhiconResult): string {
  return JSON.stringify([tagger, row, share, alpha]);
}

function bareKeyOf(result: PhiconResult): string {
  return keyOf({ ...result, row: 'without', alpha: 0 });
}

function lineOf(
  corpus: string,
  runs: readonly PhiconResult[],
  bare: readonly PhiconResult[],
): PhiconLine {
  const { tagger, row, share, alpha } = runs[0];
  const documents = runs.map((run) => documentsOf(run, corpus));
  const scores = documents.map((counts) => scoreOf(counts.reduce(addCounts, NO_COUNTS)));
  const found = documents.map((counts, i) => {
    const [interval] = bootstrapIntervals(
      [...byOrigin(counts).values()],
      (sample) => [f1Of(sample)],
      { seed: BOOTSTRAP_SEED },
    );
    return { value: scores[i].f1, interval: interval ?? null };
  });
  const names = [
    ...new Set(runs.flatMap((run) => Object.keys(run.corpora[corpus]?.categories ?? {}))),
  ];
  const categoryF1 = (name: string) =>
    meanOf(
      runs.flatMap(({ corpora }) => {
        const counts = corpora[corpus]?.categories[name];
        return counts ? [scoreOf(counts).f1] : [];
      }),
    );
  return {
    ...{ corpus, tagger, row, share, alpha },
    f1: cellOf(found),
    precision: meanOf(scores.map(({ precision }) => precision)),
    recall: meanOf(scores.map(({ recall }) => recall)),
    categories: Object.fromEntries(names.map((name) => [name, categoryF1(name)])),
    gain: row === 'without' ? null : gainOf(corpus, runs, bare),
  };
}

/**
 * Runs of a seed have parted the documents alike, so that both sides of a pair are of the same ones. A document of
 * the training corpus is measured by some of the seeds: it is drawn with all that they found in it, since it is one
 * document (a bootstrap of clusters, Davison and Hinkley 1997, section 3.8).
 */
function gainOf(
  corpus: string,
  runs: readonly PhiconResult[],
  bare: readonly PhiconResult[],
): PhiconGain | null {
  const pairs = runs.flatMap((run) => {
    const other = bare.find(({ seed, corpora }) => seed === run.seed && corpus in corpora);
    return other
      ? [[run, other].map((each) => byOrigin(documentsOf(each, corpus))) as [ByOrigin, ByOrigin]]
      : [];
  });
  const origins = [...new Set(pairs.flatMap(([one]) => [...one.keys()]))];
  if (pairs.length < runs.length || origins.length === 0) return null;
  const gains = (sample: readonly number[]) =>
    pairs.flatMap(([one, other]) => {
      const measured = sample.filter((origin) => one.has(origin));
      if (measured.length === 0) return [];
      const f1 = (side: ByOrigin) => f1Of(measured.map((origin) => side.get(origin) ?? NO_COUNTS));
      return [f1(one) - f1(other)];
    });
  const bySeed = gains(origins);
  const value = meanOf(bySeed);
  const [overDocuments = ANY_GAIN] = bootstrapIntervals(
    origins,
    (sample) => [meanOf(gains(sample))],
    { seed: BOOTSTRAP_SEED },
  );
  const overSeeds = bySeed.length < 3 ? [value, value] : studentInterval(bySeed);
  const farther = (end: 0 | 1) => Math.hypot(overDocuments[end] - value, overSeeds[end] - value);
  return { value, interval: [value - farther(0), value + farther(1)], bySeed };
}

type ByOrigin = ReadonlyMap<number, Counts>;

/** Of each origin the sum over its documents. */
function byOrigin(documents: readonly DocumentCounts[]): ByOrigin {
  const sums = new Map<number, Counts>();
  for (const { origin, ...counts } of documents)
    sums.set(origin, addCounts(sums.get(origin) ?? NO_COUNTS, counts));
  return sums;
}

function documentsOf({ corpora }: PhiconResult, corpus: string): readonly DocumentCounts[] {
  return corpora[corpus]?.documents ?? [];
}

function f1Of(documents: readonly Counts[]): number {
  return scoreOf(documents.reduce(addCounts, NO_COUNTS)).f1;
}
