import type { Document, Span } from '../text/document.js';
import { placeOf } from './matching.js';
import type { Counts } from './score.js';

type Extent = Pick<Span, 'start' | 'end'>;

/**
 * The merged span score of MEDDOCAN (Marimon et al. 2019), without types. Spans that only
 * characters other than letters and digits part are also compared as one; what stands inside an
 * agreement, merged or not, is neither spurious nor missed.
 */
export function matchMerged(gold: Document, system: Document): Counts {
  const wanted = distinct(gold.spans);
  const found = distinct(system.spans);
  const agreed = new Map([
    ...common(wanted, found),
    ...common(distinct(merge(gold)), distinct(merge(system))),
  ]);
  const outside = (places: ReadonlyMap<string, Extent>, others: ReadonlyMap<string, Extent>) =>
    [...places].filter(([key, place]) => !others.has(key) && !isInside(place, agreed)).length;
  return { tp: agreed.size, fp: outside(found, wanted), fn: outside(wanted, found) };
}

const distinct = (places: readonly Extent[]): ReadonlyMap<string, Extent> =>
  new Map(places.map(({ start, end }) => [placeOf({ type: '', start, end }), { start, end }]));

function common(a: ReadonlyMap<string, Extent>, b: ReadonlyMap<string, Extent>) {
  return [...a].filter(([key]) => b.has(key));
}

function isInside({ start, end }: Extent, agreed: ReadonlyMap<string, Extent>): boolean {
  for (const outer of agreed.values()) if (start >= outer.start && end <= outer.end) return true;
  return false;
}

/** Spans come in order of start, then end. */
function merge({ text, spans }: Document): Extent[] {
  const merged: Extent[] = [];
  for (const { start, end } of spans) {
    const before = merged.at(-1);
    if (before !== undefined && !/[\p{L}\p{N}]/u.test(text.slice(before.end, start)))
      merged[merged.length - 1] = { start: before.start, end };
    else merged.push({ start, end });
  }
  return merged;
}
