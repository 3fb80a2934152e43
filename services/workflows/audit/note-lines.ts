import type { NoteLine } from '../../../models/attacks/note-line.js';
import { freeTextOf } from '../../../models/evaluation/free-text.js';
import type { Document } from '../../../models/text/document.js';
import type { LabelScheme } from '../../../models/text/label-scheme.js';
import { sentencesOf } from '../../../models/text/labelled-sentence.js';

/** Of each sentence of a document, in order, whether it begins in the document's free text. */
export function noteLinesOf(document: Document, scheme: LabelScheme): NoteLine[] {
  const { start, end } = freeTextOf(document.text);
  return sentencesOf(document, scheme, 0).map(({ tokens: [first] }) => {
    const isFree = first !== undefined && first.start >= start && first.start < end;
    return isFree ? 'narrative' : 'form';
  });
}
