import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Document } from '../../text/document.js';
import type { LabelScheme } from '../../text/label-scheme.js';
import { type LabelledSentence, sentencesOf } from '../../text/labelled-sentence.js';

/** What the pool has of a sentence: vectors and labels. */
export interface VectorExample {
  /** [T·D] */
  readonly vectors: Float32Array;
  /** [T] label ids */
  readonly labels: Uint8Array;
  /** What it counts in a loss; 1 without it. */
  readonly weight?: number;
}

/** A sentence by its vectors, and by its words where it is one's own. */
export interface PartlyReadExample extends VectorExample {
  /** [T] vocabulary ids */
  readonly ids?: Int32Array;
}

/** What an institution or a provider has of a sentence: its words as vocabulary ids as well. */
export interface TextExample {
  /** [T] vocabulary ids */
  readonly ids: Int32Array;
  readonly labels: Uint8Array;
  readonly documentIndex: number;
}

/** The sentences of `documents`; their words are added to the vocabulary. */
export function textExamples(
  documents: readonly Document[],
  scheme: LabelScheme,
  vocabulary: Vocabulary,
): TextExample[] {
  return documents.flatMap((document, index) =>
    sentencesOf(document, scheme, index).map((sentence) => textExample(sentence, vocabulary)),
  );
}

function textExample(sentence: LabelledSentence, vocabulary: Vocabulary): TextExample {
  const { labels, documentIndex } = sentence;
  const ids = Int32Array.from(sentence.tokens, ({ text }) => vocabulary.idOf(text));
  return { ids, labels, documentIndex };
}
