import type { LabelledItem } from './labelled-item.js';
import {
  addCounts,
  type Counts,
  type MeanScore,
  meanScore,
  NO_COUNTS,
  type Score,
  scoreOf,
} from './score.js';

/** How far two sets of items agree, with and without their types. */
export interface Agreement {
  /** Same place, whatever the type. */
  readonly binary: Counts;
  /** Same place and type, by type. */
  readonly perType: ReadonlyMap<string, Counts>;
}

export interface AgreementScores {
  readonly binary: Score;
  readonly perType: Readonly<Record<string, Score>>;
  /** Over the sums of the counts of all types. */
  readonly micro: Score;
  /** The mean over the types. */
  readonly macro: MeanScore;
}

export const NO_AGREEMENT: Agreement = { binary: NO_COUNTS, perType: new Map() };

/** Counts equal and unequal items; an item that occurs twice counts once. */
export function agreementOf(
  gold: readonly LabelledItem[],
  system: readonly LabelledItem[],
): Agreement {
  const perType = new Map<string, Counts>();
  for (const type of new Set([...gold, ...system].map((item) => item.type))) {
    const ofType = (items: readonly LabelledItem[]) => items.filter((item) => item.type === type);
    perType.set(type, compare(ofType(gold), ofType(system)));
  }
  return { binary: compare(gold, system), perType };
}

function compare(gold: readonly LabelledItem[], system: readonly LabelledItem[]): Counts {
  const wanted = new Set(gold.map(placeOf));
  const found = new Set(system.map(placeOf));
  const tp = [...found].filter((place) => wanted.has(place)).length;
  return { tp, fp: found.size - tp, fn: wanted.size - tp };
}

const placeOf = ({ start, end }: LabelledItem) => `${start}-${end}`;

export function addAgreement(a: Agreement, b: Agreement): Agreement {
  const perType = new Map(a.perType);
  for (const [type, counts] of b.perType)
    perType.set(type, addCounts(perType.get(type) ?? NO_COUNTS, counts));
  return { binary: addCounts(a.binary, b.binary), perType };
}

export function scoresOf({ binary, perType }: Agreement): AgreementScores {
  const types = [...perType].sort(([a], [b]) => (a < b ? -1 : 1));
  const scores = types.map(([type, counts]) => [type, scoreOf(counts)] as const);
  return {
    binary: scoreOf(binary),
    perType: Object.fromEntries(scores),
    micro: scoreOf(types.reduce((sum, [, counts]) => addCounts(sum, counts), NO_COUNTS)),
    macro: meanScore(scores.map(([, score]) => score)),
  };
}
