import type { Span } from '../text/document.js';
import type { LabelledItem } from './labelled-item.js';
import type { Counts } from './score.js';

/** Counts what of a system agrees with the gold standard. */
export type Matching = (gold: readonly LabelledItem[], system: readonly LabelledItem[]) => Counts;

/** Equal start and end, whatever the type; an item that occurs twice counts once. */
export function matchExactly(
  gold: readonly LabelledItem[],
  system: readonly LabelledItem[],
): Counts {
  const wanted = new Set(gold.map(placeOf));
  const found = new Set(system.map(placeOf));
  let tp = 0;
  for (const place of found) if (wanted.has(place)) tp++;
  return { tp, fp: found.size - tp, fn: wanted.size - tp };
}

export const placeOf = ({ start, end }: Span) => `${start}-${end}`;

/** In characters: room for a plural or a possessive. */
const END_TOLERANCE = 2;

/**
 * Equal start and ends at most two characters apart, whatever the type: the relaxed match of the
 * i2b2 2014 evaluation (Stubbs, Kotfila and Uzuner 2015). Items of one side that match each other
 * are one; where one item matches several, the side with fewer items counts the true positives.
 */
export function matchRelaxed(
  gold: readonly LabelledItem[],
  system: readonly LabelledItem[],
): Counts {
  const wanted = new RelaxedSet(gold);
  const found = new RelaxedSet(system);
  const [fewer, more] = found.size > wanted.size ? [wanted, found] : [found, wanted];
  return {
    tp: fewer.size - fewer.missingIn(more),
    fp: found.missingIn(wanted),
    fn: wanted.missingIn(found),
  };
}

/** Items by start, each unlike the ones before it. */
class RelaxedSet {
  readonly #ends = new Map<number, number[]>();
  size = 0;

  constructor(items: readonly LabelledItem[]) {
    for (const { start, end } of items) {
      if (this.#has(start, end)) continue;
      this.#ends.set(start, [...(this.#ends.get(start) ?? []), end]);
      this.size++;
    }
  }

  missingIn(other: RelaxedSet): number {
    let missing = 0;
    for (const [start, ends] of this.#ends)
      missing += ends.filter((end) => !other.#has(start, end)).length;
    return missing;
  }

  #has(start: number, end: number): boolean {
    const ends = this.#ends.get(start) ?? [];
    return ends.some((other) => Math.abs(other - end) <= END_TOLERANCE);
  }
}
