import type { Document, Span } from '../../../../models/text/document.js';
import { knowsType, type LabelScheme, mapType } from '../../../../models/text/label-scheme.js';
import { TacetError } from '../../../../proto/errors.js';

/** What becomes of suspects: counted alone, labelled and replaced, or their sentences left out. */
export const SUSPECT_TREATMENTS = ['report', 'replace', 'withhold'] as const;
export type SuspectTreatment = (typeof SUSPECT_TREATMENTS)[number];
/** Those under which no suspect leaves as it stands. */
export type ProtectiveTreatment = Exclude<SuspectTreatment, 'report'>;

/**
 * Who reads notes once more for what their annotators missed. It reads them with their entities replaced:
 * what it finds, and so what leaves, must not depend on what a labelled entity was.
 */
export interface SecondReader {
  readonly treatment: SuspectTreatment;
  /** The PHI that it finds in a text, in order, not overlapping, of types that the scheme of the release knows. */
  find(text: string, sentences?: readonly number[]): Promise<readonly Span[]>;
}

/**
 * What `reader` takes for PHI outside the labels of a document, of types of the scheme: of a name that is labelled in
 * part, the rest.
 */
export async function suspectsIn(
  { text, spans, sentences }: Omit<Document, 'id'>,
  reader: SecondReader,
  scheme: LabelScheme,
): Promise<Span[]> {
  const suspects: Span[] = [];
  let next = 0;
  for (const found of await reader.find(text, sentences)) {
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

/** Throws `model-unsuitable` where a reader of `types` could find what the scheme has no name for. */
export function requireReadable(types: readonly string[], scheme: LabelScheme): void {
  const unknown = types.filter((type) => !knowsType(type, scheme));
  if (unknown.length === 0) return;
  throw new TacetError(
    'model-unsuitable',
    `the reader finds ${unknown.join(', ')}, which label scheme ${scheme.name} does not know; give a ` +
      'pipeline of the same scheme as the model',
  );
}
