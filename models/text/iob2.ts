import type { Span } from './document.js';
import { type LabelScheme, mapType, requireKnownTypes } from './label-scheme.js';
import type { Token } from './token.js';

const OUTSIDE = 0;

/**
 * IOB2 label ids [T] of tokens under spans in order of `start`. A span that cuts a token labels the
 * whole token; where two spans share a token it belongs to the first. Types go through the scheme's
 * map; those that it does not know throw `label-unknown`, all of them named.
 */
export function encodeLabels(
  tokens: readonly Token[],
  spans: readonly Span[],
  scheme: LabelScheme,
): Uint8Array {
  requireKnownTypes(spans, scheme, ({ start, end }) => textWithin(tokens, start, end));
  const labels = new Uint8Array(tokens.length);
  let at = 0;
  for (const span of spans) {
    const type = mapType(span.type, scheme);
    while (at < tokens.length && (tokens[at] as Token).end <= span.start) at++;
    if (type === null) continue;
    let label = 1 + 2 * scheme.types.indexOf(type);
    const inside = label + 1;
    for (; at < tokens.length && (tokens[at] as Token).start < span.end; at++) {
      labels[at] = label;
      label = inside;
    }
  }
  return labels;
}

function textWithin(tokens: readonly Token[], start: number, end: number): string {
  const within = tokens.filter((token) => token.start < end && token.end > start);
  return within.map(({ text }) => text).join(' ');
}

/**
 * The spans of label ids [T]. Tolerant: an inside label after `O` or after another type starts a
 * span, so that any sequence a model emits decodes.
 */
export function decodeLabels(
  tokens: readonly Token[],
  labels: ArrayLike<number>,
  scheme: LabelScheme,
): Span[] {
  const spans: { type: string; start: number; end: number }[] = [];
  let running = -1;
  tokens.forEach((token, at) => {
    const label = labels[at] ?? OUTSIDE;
    const type = label === OUTSIDE ? -1 : (label - 1) >> 1;
    const begins = label % 2 === 1;
    const open = spans.at(-1);
    if (type >= 0 && (begins || type !== running)) {
      spans.push({ type: scheme.types[type] as string, start: token.start, end: token.end });
    } else if (type >= 0 && open !== undefined) {
      open.end = token.end;
    }
    running = type;
  });
  return spans;
}
