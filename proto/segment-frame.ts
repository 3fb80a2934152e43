import { crc32 } from 'node:zlib';
import { TacetError } from './errors.js';

/** 1 is read only: it has the casing of every token in clear. */
export const SEGMENT_FORMATS = [1, 2] as const;
export type SegmentFormat = (typeof SEGMENT_FORMATS)[number];

/** Names the format and its version; a segment that is written starts and ends with it. */
export const MAGIC = magicOf(2);

function magicOf(format: SegmentFormat): Uint8Array {
  return new TextEncoder().encode(`TACETSG${format}`);
}

/** The format whose segments start with these bytes. */
export function formatOf(magic: Uint8Array): SegmentFormat | undefined {
  return SEGMENT_FORMATS.find((format) => Buffer.compare(magic, magicOf(format)) === 0);
}
export const MAX_SEGMENT_BYTES = 64 * 1024 * 1024;
/** A block is closed by the sentence that reaches this size. */
export const BLOCK_BYTES = 256 * 1024;
/** No frame is larger, whatever its length field says, so a reader's memory is bounded. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

export const LENGTH_BYTES = 4;
export const CHECKSUM_BYTES = 4;
/** Where the payload of a frame starts. */
export const FRAME_START = LENGTH_BYTES;
export const FRAME_OVERHEAD = LENGTH_BYTES + CHECKSUM_BYTES;

/** In place of a block's length: no more blocks, the footer follows. */
export const END_OF_BLOCKS = new Uint8Array(LENGTH_BYTES);

/** `payload` between its length and its CRC-32 (ISO 3309), both 32-bit little-endian. */
export function frame(payload: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(payload.length + FRAME_OVERHEAD);
  bytes.set(payload, FRAME_START);
  return closeFrame(bytes, payload.length);
}

/** Completes a frame whose payload was written from `FRAME_START` on, in place. */
export function closeFrame(bytes: Buffer, payloadBytes: number): Uint8Array {
  const stop = FRAME_START + payloadBytes;
  bytes.writeUInt32LE(payloadBytes, 0);
  bytes.writeUInt32LE(crc32(bytes.subarray(FRAME_START, stop)), stop);
  return bytes.subarray(0, payloadBytes + FRAME_OVERHEAD);
}

/** The CRC-32 (ISO 3309) of bytes. */
export type Checksum = (bytes: Uint8Array) => number;

/** The payload of a whole frame; throws `segment-invalid` where its checksum differs. */
export function openFrame(bytes: Uint8Array, at: number, checksum: Checksum = crc32): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const payload = bytes.subarray(LENGTH_BYTES, bytes.length - CHECKSUM_BYTES);
  if (view.getUint32(bytes.length - CHECKSUM_BYTES, true) !== checksum(payload)) {
    throw new TacetError('segment-invalid', `the block at byte ${at} differs from its checksum`);
  }
  return payload;
}

/** The payload length that a frame announces; throws `segment-invalid` beyond the limit. */
export function frameLength(start: Uint8Array, at: number): number {
  const length = new DataView(start.buffer, start.byteOffset, LENGTH_BYTES).getUint32(0, true);
  if (length > MAX_FRAME_BYTES) {
    throw new TacetError(
      'segment-invalid',
      `the block at byte ${at} announces ${length} bytes; the limit is ${MAX_FRAME_BYTES}`,
    );
  }
  return length;
}
