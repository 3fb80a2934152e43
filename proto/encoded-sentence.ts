import { allFinite, ELEMENT_BYTES, type ElementType } from './element.js';
import { TacetError } from './errors.js';
import { tacet } from './messages.js';

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

/** What every sentence must agree with. */
export interface SentenceShape {
  /** d. */
  readonly dimension: number;
  readonly elementType: ElementType;
  readonly labelCount: number;
}

/** Throws `segment-invalid` unless the sentence has the shape and finite, known values. */
export function checkSentence(sentence: EncodedSentence, shape: SentenceShape): void {
  const fault = faultOf(sentence, shape);
  if (fault) throw new TacetError('segment-invalid', `a sentence has ${fault}`);
}

function faultOf(sentence: EncodedSentence, shape: SentenceShape): string | undefined {
  const { vectors, casing, labels } = sentence;
  const tokens = casing.length;
  if (tokens < 1 || tokens > MAX_TOKENS) return `${tokens} tokens; expected 1 to ${MAX_TOKENS}`;
  if (labels.length !== tokens) return `${labels.length} labels for ${tokens} casing values`;
  const expected = tokens * shape.dimension * ELEMENT_BYTES[shape.elementType];
  if (vectors.length !== expected) {
    return `${vectors.length} bytes of vectors; expected ${expected} for ${tokens} tokens`;
  }
  if (casing.some((value) => value >= CASING_VALUES)) return 'a casing value over 6';
  if (labels.some((label) => label >= shape.labelCount)) {
    return `a label outside a scheme of ${shape.labelCount}`;
  }
  return allFinite(vectors, shape.elementType) ? undefined : 'a value that is not finite';
}

/** The protobuf message, preceded by its length as a varint. */
export function encodeSentence(sentence: EncodedSentence): Uint8Array {
  return tacet.EncodedSentence.encode(sentence).ldelim().finish();
}

/**
 * Reads the sentences of one block, as views into it. Throws `segment-invalid` for anything but
 * the one encoding that `encodeSentence` writes: a field more could carry text out.
 */
export function* decodeSentences(
  block: Uint8Array,
  shape: SentenceShape,
): Generator<EncodedSentence> {
  for (const { start, stop } of messagesOf(block)) {
    yield decodeSentence(block.subarray(start, stop), shape);
  }
}

/** Where the messages of a block lie, without their lengths. Throws `segment-invalid`. */
export function* messagesOf(block: Uint8Array): Generator<{ start: number; stop: number }> {
  for (let offset = 0; offset < block.length; ) {
    const message = messageAt(block, offset);
    yield message;
    offset = message.stop;
  }
}

/** The sentence of one message, as views into it. Throws `segment-invalid`. */
export function decodeSentence(message: Uint8Array, shape: SentenceShape): EncodedSentence {
  const sentence = decodeCanonical(message);
  checkSentence(sentence, shape);
  return sentence;
}

function decodeCanonical(bytes: Uint8Array): EncodedSentence {
  const { vectors, casing, labels } = decodeMessage(bytes);
  const canonical = fieldSize(vectors) + fieldSize(casing) + fieldSize(labels);
  if (canonical !== bytes.length) {
    throw new TacetError(
      'segment-invalid',
      `a sentence takes ${bytes.length} bytes; its vectors, casing and labels take ${canonical}`,
    );
  }
  return { vectors, casing, labels };
}

function decodeMessage(bytes: Uint8Array): EncodedSentence {
  try {
    return tacet.EncodedSentence.decode(bytes);
  } catch (error) {
    throw new TacetError('segment-invalid', 'a sentence is not a protobuf message', {
      cause: error,
    });
  }
}

function messageAt(block: Uint8Array, offset: number): { start: number; stop: number } {
  let length = 0;
  for (let i = 0; i < 4 && offset + i < block.length; i++) {
    const byte = block[offset + i];
    length |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      const start = offset + i + 1;
      if (varintSize(length) !== i + 1 || start + length > block.length) break;
      return { start, stop: start + length };
    }
  }
  throw new TacetError('segment-invalid', 'a sentence runs over the end of its block');
}

function fieldSize(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : 1 + varintSize(bytes.length) + bytes.length;
}

function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : 4;
}
