import type { Document, Span } from '../text/document.js';
import type { TextRange } from './free-text.js';
import type { Counts } from './score.js';

/**
 * What a reader of the de-identified text would still see: of the characters of gold PHI in
 * `range`, white space apart, how many a span of the system covers (`tp`) and how many have leaked
 * (`fn`), whatever the type.
 */
export function leakageOf(
  { text, spans }: Document,
  systemSpans: readonly Span[],
  range: TextRange = { start: 0, end: text.length },
): Counts {
  const covered = new Uint8Array(text.length);
  for (const { start, end } of systemSpans) covered.fill(1, start, end);
  const seen = new Uint8Array(text.length);
  const counts = { tp: 0, fp: 0, fn: 0 };
  for (const span of spans) {
    const end = Math.min(span.end, range.end);
    for (let at = Math.max(span.start, range.start); at < end; at++) {
      if (seen[at] || /\s/.test(text.charAt(at))) continue;
      seen[at] = 1;
      if (covered[at]) counts.tp++;
      else counts.fn++;
    }
  }
  return counts;
}
