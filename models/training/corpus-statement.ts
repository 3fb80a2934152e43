import type { Document } from '../text/document.js';
import { documentsDigest } from '../text/documents-digest.js';
import type { UnlabelledText } from './data/unlabelled.js';
import type { PreparedNotes } from './recipes.js';

export interface Corpus {
  /** For people: the name of its file or folder, never its path. */
  readonly corpusName: string;
  /** BCP 47, where it is known. */
  readonly language?: string | undefined;
  readonly documents: readonly Document[];
}

/** What a manifest says of the notes that a model was trained on, and of those that ended it. */
export function corpusStatement(
  { corpusName, language, documents }: Corpus,
  { train, validation, documents: counts }: PreparedNotes,
) {
  return {
    corpus: corpusName,
    ...(language !== undefined && { language }),
    documents: counts.train,
    sentences: train.length,
    'validation documents': counts.validation,
    'validation sentences': validation.length,
    'corpus SHA-256': documentsDigest(documents),
  };
}

/** What a manifest says of text without labels that a model was trained on besides. */
export function unlabelledStatement(
  { corpusName, documents }: Corpus,
  { train, documents: counts }: UnlabelledText,
) {
  return {
    'unlabelled corpus': corpusName,
    'unlabelled documents': counts.train,
    'unlabelled sentences': train.length,
    'unlabelled validation documents': counts.validation,
    'unlabelled corpus SHA-256': documentsDigest(documents),
  };
}
