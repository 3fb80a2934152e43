import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Document } from '../../text/document.js';
import type { LabelScheme } from '../../text/label-scheme.js';
import type { StageContext } from '../run/stage-context.js';
import { type TextExample, textExamples } from './examples.js';
import { splitDocuments } from './split.js';

/** Public text that nobody labelled, split by document; every label of it is O and means nothing. */
export interface UnlabelledText {
  readonly train: readonly TextExample[];
  readonly validation: readonly TextExample[];
  readonly documents: { readonly train: number; readonly validation: number };
}

/** Looked up in the vocabulary of the notes, after them: its words never move and need no candidates. */
export interface UnlabelledToPrepare {
  readonly documents: readonly Document[];
  readonly scheme: LabelScheme;
  readonly vocabulary: Vocabulary;
}

/** Splits text by document and looks its words up. Throws as `splitDocuments`. */
export function prepareUnlabelled(
  { documents, scheme, vocabulary }: UnlabelledToPrepare,
  { validationShare }: { readonly validationShare: number },
  { random }: Pick<StageContext, 'random'>,
): UnlabelledText {
  const plain = documents.map((document) => ({ ...document, spans: [] }));
  const split = splitDocuments(
    plain,
    validationShare,
    random.fork('unlabelled split'),
    'text without labels',
  );
  return {
    train: textExamples(split.train, scheme, vocabulary),
    validation: textExamples(split.validation, scheme, vocabulary),
    documents: { train: split.train.length, validation: split.validation.length },
  };
}
