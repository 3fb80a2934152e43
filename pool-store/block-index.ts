import { TacetError } from '../proto/errors.js';
import { FRAME_OVERHEAD, MAGIC, openFrame } from '../proto/segment-frame.js';
import { decodeFooter } from '../proto/segment-header.js';
import type { OpenBlob } from './blobs.js';

/** Where a block lies in the file of its segment; `bytes` counts its frame too. */
export interface BlockPosition {
  readonly offset: number;
  readonly bytes: number;
}

const TRAILER_BYTES = 4 + MAGIC.length;
const END_BYTES = 4;

/** The blocks of a segment, found through its footer without reading them. */
export async function blocksOf(blob: OpenBlob): Promise<BlockPosition[]> {
  const { bytes: size } = blob;
  const trailer = await readAt(blob, size - TRAILER_BYTES, TRAILER_BYTES);
  const footerBytes = trailer.readUInt32LE(0) + FRAME_OVERHEAD;
  const footerOffset = size - TRAILER_BYTES - footerBytes;
  const footer = openFrame(await readAt(blob, footerOffset, footerBytes), footerOffset);
  const { blockBytes } = decodeFooter(footer);
  const total = blockBytes.reduce((sum, bytes) => sum + bytes + FRAME_OVERHEAD, 0);
  let offset = footerOffset - END_BYTES - total;
  return blockBytes.map((payloadBytes) => {
    const position = { offset, bytes: payloadBytes + FRAME_OVERHEAD };
    offset += position.bytes;
    return position;
  });
}

async function readAt(blob: OpenBlob, offset: number, bytes: number): Promise<Buffer> {
  if (offset < 0) throw new TacetError('segment-invalid', 'the segment is shorter than its footer');
  const target = Buffer.allocUnsafe(bytes);
  await blob.readInto(offset, target);
  return target;
}
