import { groupedBy } from '../../platform/grouped-by.js';
import type { LabelledItem } from './labelled-item.js';
import type { Matching } from './matching.js';
import { addCounts, type Counts, NO_COUNTS } from './score.js';

/** How far two sets of items agree, with and without their types. */
export interface Agreement {
  /** Whatever the type. */
  readonly binary: Counts;
  /** With the same type, over all types. */
  readonly micro: Counts;
  readonly perType: ReadonlyMap<string, Counts>;
}

export function agreementOf(
  gold: readonly LabelledItem[],
  system: readonly LabelledItem[],
  match: Matching,
): Agreement {
  const wanted = byType(gold);
  const found = byType(system);
  const perType = new Map(
    [...new Set([...wanted.keys(), ...found.keys()])].map((type) => [
      type,
      match(wanted.get(type) ?? [], found.get(type) ?? []),
    ]),
  );
  return {
    binary: match(gold, system),
    micro: [...perType.values()].reduce(addCounts, NO_COUNTS),
    perType,
  };
}

function byType(items: readonly LabelledItem[]): Map<string, LabelledItem[]> {
  return groupedBy(items, ({ type }) => type);
}
