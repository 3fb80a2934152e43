import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import type { Document } from '../text/document.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { type LabelledSentence, sentencesOf } from '../text/labelled-sentence.js';
import type { Parameters } from './parameters.js';

/** The sentences of one text, in order. */
export type LabelledText = readonly LabelledSentence[];

/** A text as a network sees it, made once and trained on in every epoch. */
export interface ReadText {
  readonly tokens: number;
  /** [tokens], IOB2 label ids. */
  readonly labels: Uint8Array;
  /**
   * Summed over the tokens of the text, a scalar; dropout where `random` is given. Vectors [tokens, E] are read in
   * the place of the words' own, whose characters and casing stay.
   */
  loss(random?: Random, vectors?: tf.Tensor2D): tf.Scalar;
  /** [tokens], the most likely IOB2 label ids. */
  decode(): Uint8Array;
}

/** Where a network reads the words of a text, in its weights. */
export interface WordInputs {
  /** Matrices of which the rows from `from` on read a word's vector, a row each of its numbers. */
  readonly matrices: readonly string[];
  readonly from: number;
  /** Matrices with a row for each code of a character (`SPELLING_CODES`), which is read alone. */
  readonly characters: readonly string[];
}

/** A tagger that is trained text by text, by one holder of texts or by several in turn. */
export interface TextNetwork {
  readonly parameters: Parameters;
  readonly wordInputs: WordInputs;
  read(text: LabelledText): ReadText;
  dispose(): void;
}

/** What documents are to networks that read whole texts. */
export function textsOf(documents: readonly Document[], scheme: LabelScheme): LabelledText[] {
  return documents.map((document, i) => sentencesOf(document, scheme, i));
}

/** The labels of a text's sentences, one after another. */
export function labelsOf(text: LabelledText): Uint8Array {
  return Uint8Array.from(text.flatMap(({ labels }) => [...labels]));
}
