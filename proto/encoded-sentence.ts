import { ELEMENT_BYTES, type ElementType, squaredNorm } from './element.js';
import { TacetError } from './errors.js';
import { tacet } from './messages.js';
import { messagesOf, type SentenceLayout } from './sentence-message.js';

/** The values of the casing feature, 0 to 6. */
export const CASING_VALUES = 7;
export const MAX_TOKENS = 1024;
export const MAX_DIMENSION = 1024;
export const MAX_LABELS = 256;

/** One released sentence of T tokens, as it travels: no text, no document, no order. */
export interface EncodedSentence {
  /** [T, d] elements, row by row, little-endian. */
  readonly vectors: Uint8Array;
  /** [T], 0 to 6. */
  readonly casing: Uint8Array;
  /** [T], indices into the labels of the scheme. */
  readonly labels: Uint8Array;
}

/** A sentence that was found to be in order. */
export interface CheckedSentence extends EncodedSentence {
  /** Sum of the squares of all elements of its vectors. */
  readonly squaredNorm: number;
}

/** What every sentence must agree with. */
export interface SentenceShape {
  /** d. */
  readonly dimension: number;
  readonly elementType: ElementType;
  readonly labelCount: number;
}

/**
 * Throws `segment-invalid` unless the sentence has the shape and finite, known values. Returns the
 * sum of the squares of its vectors' elements, which the check comes by.
 */
export function checkSentence(sentence: EncodedSentence, shape: SentenceShape): number {
  const { vectors, casing, labels } = sentence;
  const tokens = casing.length;
  const expected = tokens * shape.dimension * ELEMENT_BYTES[shape.elementType];
  if (tokens < 1 || tokens > MAX_TOKENS) {
    throw invalid(`${tokens} tokens; expected 1 to ${MAX_TOKENS}`);
  }
  if (labels.length !== tokens) throw invalid(`${labels.length} labels for ${tokens} tokens`);
  if (vectors.length !== expected) {
    throw invalid(`${vectors.length} bytes of vectors; expected ${expected} for ${tokens} tokens`);
  }
  if (!allBelow(casing, CASING_VALUES)) throw invalid('a casing value over 6');
  if (!allBelow(labels, shape.labelCount)) {
    throw invalid(`a label outside a scheme of ${shape.labelCount}`);
  }
  const norm = squaredNorm(vectors, shape.elementType);
  if (!Number.isFinite(norm)) throw invalid('a value that is not finite');
  return norm;
}

/** The protobuf message, preceded by its length as a varint. */
export function encodeSentence(sentence: EncodedSentence): Uint8Array {
  return tacet.EncodedSentence.encode(sentence).ldelim().finish();
}

/**
 * Reads the sentences of one block, as views into it. Throws `segment-invalid` for anything but
 * the one encoding that `encodeSentence` writes.
 */
export function* decodeSentences(
  block: Uint8Array,
  shape: SentenceShape,
): Generator<CheckedSentence> {
  // Views of a plain array are made faster than those of a Buffer.
  const bytes = new Uint8Array(block.buffer, block.byteOffset, block.length);
  for (const layout of messagesOf(bytes, shape)) {
    const { vectors, casing, labels } = sentenceAt(bytes, layout);
    const squaredNorm = checkSentence({ vectors, casing, labels }, shape);
    yield { vectors, casing, labels, squaredNorm };
  }
}

/** The sentence of a message, as views into its block; its values are not checked. */
export function sentenceAt(block: Uint8Array, layout: SentenceLayout): EncodedSentence {
  const { vectorsStart, vectorsStop, casingStart, labelsStart, stop, tokens } = layout;
  return {
    vectors: block.subarray(vectorsStart, vectorsStop),
    casing: block.subarray(casingStart, casingStart + tokens),
    labels: block.subarray(labelsStart, stop),
  };
}

function allBelow(values: Uint8Array, limit: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] >= limit) return false;
  return true;
}

function invalid(fault: string): TacetError {
  return new TacetError('segment-invalid', `a sentence has ${fault}`);
}
