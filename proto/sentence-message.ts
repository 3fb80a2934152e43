import { ELEMENT_BYTES, type ElementType } from './element.js';
import { TacetError } from './errors.js';

/*
 * The one encoding of a sentence that is accepted, after its length as a varint:
 *
 *   0a length vectors | 1a length labels
 *
 * and, in segments of format 1 alone, `12 length casing` between them. It is what protobuf writes for
 * `EncodedSentence`. Fields in another order, twice, unknown or with longer varints than needed are
 * refused: they could carry text out.
 */
const VECTORS_TAG = 0x0a;
const CASING_TAG = 0x12;
const LABELS_TAG = 0x1a;
const TAGS = [VECTORS_TAG, LABELS_TAG] as const;
const MAX_VARINT_BYTES = 4;

/** What every sentence must agree with. */
export interface SentenceShape {
  /** d. */
  readonly dimension: number;
  readonly elementType: ElementType;
  readonly labelCount: number;
}

/** Where a message and its fields lie in the block around it. */
export interface SentenceLayout {
  /** Of the length that precedes the message. */
  readonly start: number;
  readonly vectorsStart: number;
  readonly vectorsStop: number;
  /** Where the casing lies, in a message of format 1. */
  readonly casing: { readonly start: number } | undefined;
  readonly labelsStart: number;
  readonly stop: number;
  /** T, the number of labels. */
  readonly tokens: number;
}

/** Vectors and labels; an empty field is left out of the message. */
export type MessageFields = readonly [Uint8Array, Uint8Array];

/** Bytes of the message of these fields, its length before it included. */
export function messageBytes(fields: MessageFields): number {
  const length = payloadBytes(fields);
  return varintBytes(length) + length;
}

/** Writes the message after its length, from `start` on. */
export function writeMessage(fields: MessageFields, bytes: Uint8Array, start: number): void {
  let at = writeVarint(bytes, start, payloadBytes(fields));
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] as Uint8Array;
    if (field.length === 0) continue;
    bytes[at] = TAGS[i] as number;
    at = writeVarint(bytes, at + 1, field.length);
    bytes.set(field, at);
    at += field.length;
  }
}

function payloadBytes(fields: MessageFields): number {
  let length = 0;
  for (const { length: size } of fields) if (size > 0) length += 1 + varintBytes(size) + size;
  return length;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes;
}

/** Returns the place after it. */
function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at] = rest;
  return at + 1;
}

/** Every message between two places of a buffer, in order. Throws `segment-invalid`. */
export function* messagesOf(
  bytes: Uint8Array,
  shape: SentenceShape,
  { start = 0, stop = bytes.length } = {},
): Generator<SentenceLayout> {
  for (let offset = start; offset < stop; ) {
    const layout = messageAt(bytes, offset, stop, shape);
    yield layout;
    offset = layout.stop;
  }
}

/** The message at `start`, its fields of the sizes that the shape gives them. */
function messageAt(
  block: Uint8Array,
  start: number,
  end: number,
  shape: SentenceShape,
): SentenceLayout {
  const [messageStart, stop] = extentAt(block, start, end, 'a sentence');
  const [vectorsStart, vectorsStop] = fieldAt(block, messageStart, stop, VECTORS_TAG);
  const hasCasing = vectorsStop < stop && block[vectorsStop] === CASING_TAG;
  const [casingStart, casingStop] = hasCasing
    ? fieldAt(block, vectorsStop, stop, CASING_TAG)
    : [vectorsStop, vectorsStop];
  const [labelsStart, labelsStop] = fieldAt(block, casingStop, stop, LABELS_TAG);
  if (labelsStop !== stop) {
    throw invalid(`a sentence goes on for ${stop - labelsStop} bytes after its labels`);
  }
  const tokens = stop - labelsStart;
  requireBytes('vectors', vectorsStop - vectorsStart, tokens * rowBytes(shape), tokens);
  if (hasCasing) requireBytes('casing', casingStop - casingStart, tokens, tokens);
  const casing = hasCasing ? { start: casingStart } : undefined;
  return { start, vectorsStart, vectorsStop, casing, labelsStart, stop, tokens };
}

function fieldAt(block: Uint8Array, at: number, stop: number, tag: number): [number, number] {
  if (at >= stop || block[at] !== tag) {
    throw invalid('a sentence is not a message of vectors and labels, in this order');
  }
  return extentAt(block, at + 1, stop, 'a field');
}

/** First byte, and the byte after the last, of what the varint at `at` gives the length of. */
function extentAt(block: Uint8Array, at: number, stop: number, what: string): [number, number] {
  let length = 0;
  for (let i = 0; i < MAX_VARINT_BYTES && at + i < stop; i++) {
    const byte = block[at + i];
    length |= (byte & 0x7f) << (7 * i);
    if (byte >= 0x80) continue;
    const start = at + i + 1;
    const isShortest = byte !== 0 || i === 0;
    if (!isShortest || start + length > stop) break;
    return [start, start + length];
  }
  throw invalid(`${what} runs over the end of what holds it`);
}

function rowBytes({ dimension, elementType }: SentenceShape): number {
  return dimension * ELEMENT_BYTES[elementType];
}

function requireBytes(what: string, found: number, expected: number, tokens: number): void {
  if (found === expected) return;
  throw invalid(
    `a sentence has ${found} bytes of ${what}; expected ${expected} for ${tokens} tokens`,
  );
}

function invalid(fault: string): TacetError {
  return new TacetError('segment-invalid', fault);
}
