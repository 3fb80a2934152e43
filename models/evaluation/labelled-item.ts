import type { Document, Span } from '../text/document.js';
import type { Token } from '../text/token.js';

/** Something that a gold standard and a system can agree on: a stretch of text and its type. */
export type LabelledItem = Span;

/**
 * The tokens that are PHI: those with a character inside a span. Spans are in order of `start`; a
 * token that two of them share stands once for each.
 */
export function phiTokens(tokens: readonly Token[], spans: readonly Span[]): LabelledItem[] {
  const items: LabelledItem[] = [];
  let first = 0;
  for (const { type, start, end } of spans) {
    while (first < tokens.length && (tokens[first] as Token).end <= start) first++;
    for (let at = first; at < tokens.length && (tokens[at] as Token).start < end; at++) {
      const token = tokens[at] as Token;
      items.push({ type, start: token.start, end: token.end });
    }
  }
  return items;
}

/**
 * The tokens of the i2b2 2014 evaluation: the runs of ASCII letters and digits in each span's own
 * text (Stubbs, Kotfila and Uzuner 2015). A span that ends within a word gives a shorter token, one
 * of punctuation alone gives none, and an accented letter parts two tokens.
 */
export function i2b2Tokens({ text, spans }: Document): LabelledItem[] {
  return spans.flatMap(({ type, start, end }) =>
    [...text.slice(start, end).matchAll(/[A-Za-z0-9]+/g)].map(({ 0: run, index }) => ({
      type,
      start: start + index,
      end: start + index + run.length,
    })),
  );
}
