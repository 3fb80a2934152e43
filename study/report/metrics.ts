import { groupedBy } from '../../platform/grouped-by.js';
import type { DeidentifierScores, Measured } from '../runs/deidentifier-scores.js';
import type { Measurements } from '../runs/measurements.js';
import { type Cell, cellOf, type Found } from './cell.js';

/** What is compared between configurations; each says where it stands among the measurements. */
const METRICS = {
  ownPrecision: (found) => found.own?.binaryToken.precision,
  ownRecall: (found) => found.own?.binaryToken.recall,
  ownHipaaF1: (found) => found.own?.hipaaToken?.f1,
  ownF1: (found) => found.own?.binaryToken.f1,
  ownEntityF1: (found) => found.own?.entity.f1,
  releasedPrecision: (found) => noiseOff(found)?.binaryToken.precision,
  releasedRecall: (found) => noiseOff(found)?.binaryToken.recall,
  releasedHipaaF1: (found) => noiseOff(found)?.hipaaToken?.f1,
  releasedF1: (found) => noiseOff(found)?.binaryToken.f1,
  releasedEntityF1: (found) => noiseOff(found)?.entity.f1,
  releasedNoisyF1: (found) => found.released?.noiseOn.binaryToken.f1,
  adversaryBefore: (found) => found.adversary?.before.success,
  adversaryUnseen: (found) => found.adversary?.unseen.success,
  adversaryLearned: (found) => found.adversary?.learned.success,
  adversaryLastUnseen: (found) => found.adversary?.last?.unseen.success,
  adversaryLastLearned: (found) => found.adversary?.last?.learned.success,
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
  /** The least of the runs that have them. */
  readonly pairs: number;
  /** The most of them, where they differ: how frequent a word is depends on what the seed has it train on. */
  readonly mostPairs?: number;
  /** A mean over the runs that have enough of them. */
  readonly limit: Cell;
}

/** A cell for each metric that any of the runs of a row has. */
export function cellsOf(
  measured: readonly Measurements[],
): Readonly<Partial<Record<Metric, Cell>>> {
  const cells: Partial<Record<Metric, Cell>> = {};
  for (const [metric, find] of Object.entries(METRICS)) {
    const found = measured.flatMap((each) => find(each) ?? []);
    if (found.length > 0) cells[metric as Metric] = cellOf(found);
  }
  return cells;
}

export function slicesOf(measured: readonly Measurements[]): LimitSlice[] {
  const slices = measured.flatMap(({ bounds }) => bounds?.certified.slices ?? []);
  const groups = groupedBy(slices, ({ by, value }) => JSON.stringify([by, value]));
  return [...groups.values()].map((group) => {
    const [{ by, value }] = group;
    const pairs = group.map(({ trials }) => trials);
    const [least, most] = [Math.min(...pairs), Math.max(...pairs)];
    return {
      ...{ by, value, pairs: least, ...(most > least && { mostPairs: most }) },
      limit: cellOf(group.map(({ bound }) => bound)),
    };
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
