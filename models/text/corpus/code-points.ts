import type { Span } from '../document.js';

/** The UTF-16 offset of the first half of a surrogate pair that stands alone, or -1: no UTF-8 holds it. */
export function loneSurrogate(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

/** The number of code points in a text; half of a surrogate pair counts as one. */
export function countCodePoints(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - (pairs?.length ?? 0);
}

/** Files and answers count code points, memory UTF-16 units. Spans are in order, so one pass is enough. */
export function codePointSpans<S extends Span>({
  text,
  spans,
}: {
  readonly text: string;
  readonly spans: readonly S[];
}): S[] {
  let at = 0;
  let count = 0;
  const advance = (to: number) => {
    count += countCodePoints(text.slice(at, to));
    at = to;
    return count;
  };
  return spans.map((span) => ({ ...span, start: advance(span.start), end: advance(span.end) }));
}
