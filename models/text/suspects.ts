import type { Document, Span } from './document.js';
import { type LabelScheme, mapType } from './label-scheme.js';

/** Finds the PHI of a text, in order, not overlapping; `sentences` as `Document.sentences`. */
export type FindPhi = (text: string, sentences?: readonly number[]) => Promise<readonly Span[]>;

/**
 * What `find` takes for PHI outside the labels of a document, of types of the scheme: of a name that is labelled in
 * part, the rest.
 */
export async function suspectsIn(
  { text, spans, sentences }: Omit<Document, 'id'>,
  find: FindPhi,
  scheme: LabelScheme,
): Promise<Span[]> {
  const suspects: Span[] = [];
  let next = 0;
  for (const found of await find(text, sentences)) {
    while (next < spans.length && (spans[next] as Span).end <= found.start) next++;
    const type = mapType(found.type, scheme);
    if (type === null) continue;
    const labels: Span[] = [];
    for (let i = next; i < spans.length && (spans[i] as Span).start < found.end; i++)
      labels.push(spans[i] as Span);
    const rest = labels.length === 0 ? [found] : restOf(found, labels, text);
    for (const { start, end } of rest) suspects.push({ type, start, end });
  }
  return suspects;
}

type Place = Pick<Span, 'start' | 'end'>;

/** From the first letter or digit to the last. */
const WORDS = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;

/** The words of what was found that stand before, between and behind the labels in it, which are in order. */
function restOf(found: Place, labels: readonly Place[], text: string): Place[] {
  const starts = [found.start, ...labels.map(({ end }) => end)];
  const ends = [...labels.map(({ start }) => start), found.end];
  return starts.flatMap((from, i) => {
    const words = WORDS.exec(text.slice(from, Math.max(from, ends[i] as number)));
    if (!words) return [];
    const start = from + words.index;
    return [{ start, end: start + words[0].length }];
  });
}
