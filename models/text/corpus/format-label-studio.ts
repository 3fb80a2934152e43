import type { Document } from '../document.js';
import { codePointSpans } from './code-points.js';

/** Where Label Studio keeps spans: what people marked, or what a model suggests to them. */
export type ResultKind = 'annotations' | 'predictions';

/**
 * A document as a task of Label Studio, for a labelling configuration with `<Labels name="label"
 * toName="text">` and `<Text name="text" value="$text">`, as its template for named entities has it.
 * Offsets count code points.
 */
export function formatTask(document: Document, kind: ResultKind): string {
  const { id, text, spans } = document;
  const result = codePointSpans(document).map(({ type, start, end }, index) => {
    const own = spans[index] as Document['spans'][number];
    return {
      id: `${index + 1}`,
      from_name: 'label',
      to_name: 'text',
      type: 'labels',
      value: { start, end, text: text.slice(own.start, own.end), labels: [type] },
    };
  });
  const origin = kind === 'predictions' ? { model_version: 'tacet' } : {};
  return JSON.stringify({ data: { id, text }, [kind]: [{ ...origin, result }] });
}

/** A document as one line of doccano's JSONL for sequence labelling. Offsets count code points. */
export function formatDoccano(document: Document): string {
  const { id, text } = document;
  const label = codePointSpans(document).map(({ type, start, end }) => [start, end, type]);
  return JSON.stringify({ id, text, label });
}
