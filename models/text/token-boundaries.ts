import type { Span } from './document.js';
import type { Token } from './token.js';

/**
 * The ends of spans, in UTF-16 offsets, that lie within a token or in white space, so that no tagger
 * of tokens can find them. Spans are in order of `start`.
 */
export function boundariesWithinTokens(spans: readonly Span[], tokens: readonly Token[]): number[] {
  const starts = new Set(tokens.map((token) => token.start));
  const ends = new Set(tokens.map((token) => token.end));
  return spans.flatMap(({ start, end }) => [
    ...(starts.has(start) ? [] : [start]),
    ...(ends.has(end) ? [] : [end]),
  ]);
}
