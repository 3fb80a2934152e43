import { areFinite, type SquaredNorms, squaredNorms } from './element.js';
import { TacetError } from './errors.js';
import type { SegmentFormat } from './segment-frame.js';
import {
  messageBytes,
  messagesOf,
  type SentenceLayout,
  type SentenceShape,
  writeMessage,
} from './sentence-message.js';

/** Of the casing feature, in format 1. */
const CASING_VALUES = 7;
const MAX_TOKENS = 1024;
export const MAX_DIMENSION = 1024;
export const MAX_LABELS = 256;

/** One released sentence of T tokens, as it travels: no text, no document, no order. */
export interface EncodedSentence {
  /** [T, d] elements, row by row, little-endian. */
  readonly vectors: Uint8Array;
  /** [T], indices into the labels of the scheme. */
  readonly labels: Uint8Array;
}

/** The protobuf message, preceded by its length as a varint. */
export function encodeSentence(sentence: EncodedSentence): Uint8Array {
  const bytes = new Uint8Array(encodedBytes(sentence));
  encodeSentenceInto(sentence, bytes, 0);
  return bytes;
}

/** How many bytes `encodeSentence` gives. */
export function encodedBytes({ vectors, labels }: EncodedSentence): number {
  return messageBytes([vectors, labels]);
}

/** Writes what `encodeSentence` gives from `start` on. */
export function encodeSentenceInto(
  { vectors, labels }: EncodedSentence,
  bytes: Uint8Array,
  start: number,
): void {
  writeMessage([vectors, labels], bytes, start);
}

/** Sees a message that is in order, and the sum of the squares of its vectors' elements. */
export type MessageVisitor = (
  block: Uint8Array,
  layout: SentenceLayout,
  squaredNorm: number,
) => void;

/**
 * Checks every message of a block. Throws `segment-invalid` for anything but the one encoding of the format,
 * and for values that are unknown or not finite. `norms` sums the squares that `visit` sees.
 */
export function checkSentences(
  block: Uint8Array,
  shape: SentenceShape,
  format: SegmentFormat,
  visit?: MessageVisitor,
  norms: SquaredNorms = squaredNorms,
): void {
  const layouts: SentenceLayout[] = [];
  for (const layout of messagesOf(block, shape)) {
    requireFormat(layout, format);
    checkCodes(block, layout, shape);
    layouts.push(layout);
  }
  if (!visit) {
    requireFinite(block, layouts, shape);
    return;
  }
  const sums = norms(block, shape.elementType, placesOf(layouts));
  for (const sum of sums) if (!Number.isFinite(sum)) throw notFinite();
  for (let i = 0; i < layouts.length; i++)
    visit(block, layouts[i] as SentenceLayout, sums[i] as number);
}

function requireFinite(
  block: Uint8Array,
  layouts: readonly SentenceLayout[],
  { elementType }: SentenceShape,
): void {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  for (const { vectorsStart, vectorsStop } of layouts)
    if (!areFinite(view, elementType, vectorsStart, vectorsStop)) throw notFinite();
}

/** First byte, and the byte after the last, of the vectors of each. */
function placesOf(layouts: readonly SentenceLayout[]): Int32Array {
  const places = new Int32Array(2 * layouts.length);
  let i = 0;
  for (const { vectorsStart, vectorsStop } of layouts) {
    places[i++] = vectorsStart;
    places[i++] = vectorsStop;
  }
  return places;
}

/** Casing is in clear in format 1, and nowhere else. */
function requireFormat({ casing }: SentenceLayout, format: SegmentFormat): void {
  if (casing && format !== 1) throw invalid(`casing in clear, which format ${format} has not`);
  if (!casing && format === 1) throw invalid('no casing, which format 1 has');
}

function checkCodes(
  block: Uint8Array,
  { tokens, casing, labelsStart }: SentenceLayout,
  { labelCount }: SentenceShape,
): void {
  if (tokens < 1 || tokens > MAX_TOKENS) {
    throw invalid(`${tokens} tokens; expected 1 to ${MAX_TOKENS}`);
  }
  if (casing && !allBelow(block, casing.start, tokens, CASING_VALUES))
    throw invalid('a casing value over 6');
  if (!allBelow(block, labelsStart, tokens, labelCount)) {
    throw invalid(`a label outside a scheme of ${labelCount}`);
  }
}

/** The sentences of a block that was checked, as views into it. */
export function* sentencesOf(block: Uint8Array, shape: SentenceShape): Generator<EncodedSentence> {
  // Views of a plain array are made faster than those of a Buffer.
  const bytes = new Uint8Array(block.buffer, block.byteOffset, block.length);
  for (const layout of messagesOf(bytes, shape)) yield sentenceAt(bytes, layout);
}

/** The sentence of a message, as views into its block; its values are not checked, its casing is left out. */
export function sentenceAt(block: Uint8Array, layout: SentenceLayout): EncodedSentence {
  const { vectorsStart, vectorsStop, labelsStart, stop } = layout;
  return {
    vectors: block.subarray(vectorsStart, vectorsStop),
    labels: block.subarray(labelsStart, stop),
  };
}

function allBelow(bytes: Uint8Array, start: number, count: number, limit: number): boolean {
  for (let i = start; i < start + count; i++) if (bytes[i] >= limit) return false;
  return true;
}

function notFinite(): TacetError {
  return invalid('a value that is not finite');
}

function invalid(fault: string): TacetError {
  return new TacetError('segment-invalid', `a sentence has ${fault}`);
}
