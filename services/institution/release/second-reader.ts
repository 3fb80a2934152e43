import type { Document, Span } from '../../../models/text/document.js';
import { knowsType, type LabelScheme, mapType } from '../../../models/text/label-scheme.js';
import { TacetError } from '../../../proto/errors.js';

/** What becomes of suspects: counted alone, labelled and replaced, or their sentences left out. */
export const SUSPECT_TREATMENTS = ['report', 'replace', 'withhold'] as const;
export type SuspectTreatment = (typeof SUSPECT_TREATMENTS)[number];

/**
 * Who reads notes once more for what their annotators missed. It reads them with their entities replaced:
 * what it finds, and so what leaves, must not depend on what a labelled entity was.
 */
export interface SecondReader {
  readonly treatment: SuspectTreatment;
  /** The PHI that it finds in a text, in order, not overlapping, of types that the scheme of the release knows. */
  find(text: string, sentences?: readonly number[]): Promise<readonly Span[]>;
}

/** What `reader` takes for PHI outside the labels of a document, of types of the scheme. */
export async function suspectsIn(
  { text, spans, sentences }: Omit<Document, 'id'>,
  reader: SecondReader,
  scheme: LabelScheme,
): Promise<Span[]> {
  const suspects: Span[] = [];
  let next = 0;
  for (const { type, start, end } of await reader.find(text, sentences)) {
    while (next < spans.length && (spans[next] as Span).end <= start) next++;
    const label = spans[next];
    if (label && label.start < end) continue;
    const mapped = mapType(type, scheme);
    if (mapped !== null) suspects.push({ type: mapped, start, end });
  }
  return suspects;
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
