import { ELEMENT_TYPES, type ElementType } from './element.js';
import { MAX_DIMENSION, MAX_LABELS } from './encoded-sentence.js';
import { ENTITY_TREATMENTS, type EntityTreatment } from './entity-treatment.js';
import { TacetError } from './errors.js';
import { areKeptTypes, KEPT_TYPES } from './kept-types.js';
import { tacet } from './messages.js';
import { DIGEST, NATURAL } from './schemas.js';
import type { SentenceShape } from './sentence-message.js';
import { oneOf } from './typed-schema.js';
import { validator } from './validator.js';

/** What every sentence of a segment has in common. */
export interface SegmentShape extends SentenceShape {
  /** SHA-256 of the bundle that encoded the sentences, in hex. */
  readonly modelDigest: string;
  /** SHA-256 of the label scheme, in hex. */
  readonly labelSchemeDigest: string;
  /** What became of labelled entities before they were encoded. */
  readonly entities: EntityTreatment;
  /** Where they were replaced, the types whose entities were kept; left out where there are none. */
  readonly keptTypes?: readonly string[] | undefined;
}

export interface SegmentHeader extends SegmentShape {
  readonly sentenceCount: number;
}

/** Of the schema of whatever has the fields of a header. */
export const SEGMENT_HEADER = {
  modelDigest: DIGEST,
  labelSchemeDigest: DIGEST,
  entities: oneOf(ENTITY_TREATMENTS),
  keptTypes: KEPT_TYPES,
  dimension: NATURAL,
  elementType: oneOf(ELEMENT_TYPES),
  labelCount: NATURAL,
  sentenceCount: NATURAL,
};

export interface SegmentFooter {
  readonly sentenceCount: number;
  /** Bytes of each block, in order. */
  readonly blockBytes: readonly number[];
  /** Tokens of each block, in order. */
  readonly blockTokens: readonly number[];
}

const DIGEST_BYTES = 32;
const parseKeptTypes = validator(KEPT_TYPES, 'segment-invalid', 'the kept types in the header');

export function encodeHeader(header: SegmentHeader): Uint8Array {
  return tacet.SegmentHeader.encode({
    modelDigest: Buffer.from(header.modelDigest, 'hex'),
    dimension: header.dimension,
    elementType: tacet.ElementType[header.elementType === 'float16' ? 'FLOAT16' : 'FLOAT32'],
    labelSchemeDigest: Buffer.from(header.labelSchemeDigest, 'hex'),
    labelCount: header.labelCount,
    entities: tacet.EntityTreatment[header.entities === 'replaced' ? 'REPLACED' : 'KEPT'],
    sentenceCount: header.sentenceCount,
    keptTypes: [...(header.keptTypes ?? [])],
  }).finish();
}

/** Throws `segment-invalid` for a field out of range or any byte that `encodeHeader` would not write. */
export function decodeHeader(bytes: Uint8Array): SegmentHeader {
  const message = requireDecodable(() => tacet.SegmentHeader.decode(bytes), 'header');
  const header: SegmentHeader = {
    modelDigest: digest(message.modelDigest, 'model'),
    dimension: between(message.dimension, MAX_DIMENSION, 'dimension'),
    elementType: elementType(message.elementType),
    labelSchemeDigest: digest(message.labelSchemeDigest, 'label scheme'),
    labelCount: between(message.labelCount, MAX_LABELS, 'label count'),
    entities: entityTreatment(message.entities),
    sentenceCount: message.sentenceCount,
    ...(message.keptTypes.length > 0 && { keptTypes: keptTypes(message) }),
  };
  return sameBytes(bytes, encodeHeader(header), 'header', header);
}

export function encodeFooter(footer: SegmentFooter): Uint8Array {
  return tacet.SegmentFooter.encode({
    sentenceCount: footer.sentenceCount,
    blockBytes: [...footer.blockBytes],
    blockTokens: [...footer.blockTokens],
  }).finish();
}

/** Throws `segment-invalid` for any byte that `encodeFooter` would not write. */
export function decodeFooter(bytes: Uint8Array): SegmentFooter {
  const { sentenceCount, blockBytes, blockTokens } = requireDecodable(
    () => tacet.SegmentFooter.decode(bytes),
    'footer',
  );
  const footer = { sentenceCount, blockBytes, blockTokens };
  return sameBytes(bytes, encodeFooter(footer), 'footer', footer);
}

function requireDecodable<T>(decode: () => T, part: string): T {
  try {
    return decode();
  } catch (cause) {
    throw new TacetError('segment-invalid', `the ${part} is not a protobuf message`, { cause });
  }
}

/** Unknown or repeated fields are refused: they could carry anything. */
function sameBytes<T>(found: Uint8Array, expected: Uint8Array, part: string, value: T): T {
  if (Buffer.compare(found, expected) === 0) return value;
  throw new TacetError('segment-invalid', `the ${part} holds more than its fields`);
}

function digest(bytes: Uint8Array, name: string): string {
  if (bytes.length === DIGEST_BYTES) return Buffer.from(bytes).toString('hex');
  throw new TacetError(
    'segment-invalid',
    `the ${name} digest in the header has ${bytes.length} bytes; expected ${DIGEST_BYTES}`,
  );
}

function between(value: number, limit: number, name: string): number {
  if (value >= 1 && value <= limit) return value;
  throw new TacetError(
    'segment-invalid',
    `the ${name} in the header is ${value}; expected 1 to ${limit}`,
  );
}

function elementType(value: tacet.ElementType): ElementType {
  if (value === tacet.ElementType.FLOAT16) return 'float16';
  if (value === tacet.ElementType.FLOAT32) return 'float32';
  throw new TacetError('segment-invalid', `the header names the unknown element type ${value}`);
}

function entityTreatment(value: tacet.EntityTreatment): EntityTreatment {
  if (value === tacet.EntityTreatment.KEPT) return 'kept';
  if (value === tacet.EntityTreatment.REPLACED) return 'replaced';
  throw new TacetError(
    'segment-invalid',
    `the header names the unknown treatment of entities ${value}`,
  );
}

/** Throws `segment-invalid` for types that are not in order, or where nothing was replaced. */
function keptTypes({ entities, keptTypes: found }: tacet.SegmentHeader): readonly string[] {
  const types = parseKeptTypes(found);
  if (entities === tacet.EntityTreatment.REPLACED && areKeptTypes(types)) return types;
  throw new TacetError(
    'segment-invalid',
    'the header names types whose entities were kept; expected them in order, of entities that were replaced',
  );
}
