import type { Document } from '../../../models/text/document.js';
import type { TextExample } from '../../../models/training/data/examples.js';
import type { EncodedCopy } from './encoded-notes.js';

/** A sentence, and where it stands: in a note, or in a further copy of one. */
export interface PlacedSentence {
  readonly example: TextExample;
  readonly note: Document;
  /** The note itself, or the copy. */
  readonly document: Document;
  /** Of the sentence in its document, from 0. */
  readonly ordinal: number;
}

/**
 * The sentences of notes, one note after the other; with `copies` of all of them, as they are encoded: of those
 * after the first, the sentences that hold an entity.
 */
export function placedSentences(
  notes: readonly Document[],
  examplesOf: (documents: readonly Document[]) => TextExample[],
  copies?: ReadonlyMap<Document, readonly EncodedCopy[]>,
): PlacedSentence[] {
  return notes.flatMap((note, documentIndex) => {
    const documents = copies?.get(note)?.map(({ document }) => document) ?? [note];
    return documents.flatMap((document) => {
      const sentences = examplesOf([document]).map((example, ordinal) => ({
        ...{ example: { ...example, documentIndex }, note, document, ordinal },
      }));
      return document === note
        ? sentences
        : sentences.filter(({ example }) => holdsEntity(example));
    });
  });
}

function holdsEntity({ labels }: TextExample): boolean {
  return labels.some((label) => label !== 0);
}
