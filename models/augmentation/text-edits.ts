import type { Document } from '../text/document.js';

/** What stands in the place of `[start, end)` of a text; nothing is taken out where both are one. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * A document with edits in its text, which are in order and touch neither one another nor a span; spans and
 * stated sentences stay where they were. A word that is put where a sentence begins is of that sentence.
 */
export function edited(document: Document, edits: readonly TextEdit[]): Document {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text } of edits) {
    parts.push(document.text.slice(from, start), text);
    from = end;
  }
  parts.push(document.text.slice(from));
  const before = (isBefore: (edit: TextEdit) => boolean) =>
    edits.reduce(
      (sum, edit) => (isBefore(edit) ? sum + edit.text.length - (edit.end - edit.start) : sum),
      0,
    );
  const spans = document.spans.map(({ type, start, end }) => {
    const shift = before((edit) => edit.end <= start);
    return { type, start: start + shift, end: end + shift };
  });
  const sentences = document.sentences?.map(
    (start) => start + before((edit) => edit.start < start),
  );
  return { ...document, text: parts.join(''), spans, ...(sentences && { sentences }) };
}
