import { TacetError } from '../../proto/errors.js';
import { FRAME_OVERHEAD, MAGIC, openFrame } from '../../proto/segment-frame.js';
import { decodeFooter } from '../../proto/segment-header.js';
import type { OpenBlob } from '../blobs/blobs.js';

/** Where a block lies in its segment; `bytes` counts its frame too. */
export interface BlockPosition {
  readonly offset: number;
  readonly bytes: number;
}

/** Where all blocks of a segment lie, one behind the other. */
export interface BlockPlaces {
  /** Where the frame of the first begins. */
  readonly first: number;
  /** Bytes of the payload of each. */
  readonly bytes: readonly number[];
}

const TRAILER_BYTES = 4 + MAGIC.length;
const END_BYTES = 4;

export function positionsOf({ first, bytes }: BlockPlaces): BlockPosition[] {
  let offset = first;
  return bytes.map((payloadBytes) => {
    const position = { offset, bytes: payloadBytes + FRAME_OVERHEAD };
    offset += position.bytes;
    return position;
  });
}

/** As the catalog keeps them. */
export function blocksRow({ first, bytes }: BlockPlaces): readonly number[] {
  return [first, ...bytes];
}

/** Undefined of an empty row, as segments have it from before places were kept. */
export function placesOfRow([first, ...bytes]: readonly number[]): BlockPlaces | undefined {
  return first === undefined ? undefined : { first, bytes };
}

/** Read from the footer of a segment. */
export async function readPlaces(blob: OpenBlob): Promise<BlockPlaces> {
  const { bytes: size } = blob;
  const trailer = await readAt(blob, size - TRAILER_BYTES, TRAILER_BYTES);
  const footerBytes = trailer.readUInt32LE(0) + FRAME_OVERHEAD;
  const footerOffset = size - TRAILER_BYTES - footerBytes;
  const footer = openFrame(await readAt(blob, footerOffset, footerBytes), footerOffset);
  const { blockBytes: bytes } = decodeFooter(footer);
  const total = bytes.reduce((sum, payloadBytes) => sum + payloadBytes + FRAME_OVERHEAD, 0);
  return { first: footerOffset - END_BYTES - total, bytes };
}

async function readAt(blob: OpenBlob, offset: number, bytes: number): Promise<Buffer> {
  if (offset < 0) throw new TacetError('segment-invalid', 'the segment is shorter than its footer');
  const target = Buffer.allocUnsafe(bytes);
  await blob.readInto(offset, target);
  return target;
}
