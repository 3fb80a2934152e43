import type { FilledDocument } from '../../../../models/surrogates/replacement.js';
import type { Span } from '../../../../models/text/document.js';

/** A span between two entities of a document, where it stands alike in every copy, whatever these were replaced by. */
export interface GapSpan extends Span {
  /** How many entities stand before it; `start` and `end` are offsets behind the last of them. */
  readonly gap: number;
}

/** Of spans of a copy, none of which meets an entity. */
export function placesOf(
  spans: readonly Span[],
  { gapStarts }: Pick<FilledDocument, 'gapStarts'>,
): GapSpan[] {
  return spans.map(({ type, start, end }) => {
    const gap = gapStarts.findLastIndex((from) => from <= start);
    const from = gapStarts[gap] as number;
    return { type, gap, start: start - from, end: end - from };
  });
}

/** In order, with those that overlap as one, of the type of the first. */
export function joinPlaces(places: readonly GapSpan[]): GapSpan[] {
  const sorted = [...places].sort((a, b) => a.gap - b.gap || a.start - b.start || b.end - a.end);
  const joined: GapSpan[] = [];
  for (const place of sorted) {
    const before = joined.at(-1);
    if (before?.gap === place.gap && place.start < before.end)
      joined[joined.length - 1] = { ...before, end: Math.max(before.end, place.end) };
    else joined.push(place);
  }
  return joined;
}

/** Where it stands in a copy. */
export function inCopy(
  { type, gap, start, end }: GapSpan,
  { gapStarts }: Pick<FilledDocument, 'gapStarts'>,
): Span {
  const from = gapStarts[gap] as number;
  return { type, start: from + start, end: from + end };
}
