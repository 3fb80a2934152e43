import type { FileHandle } from 'node:fs/promises';
import { TacetError } from '../proto/errors.js';
import { FRAME_OVERHEAD, MAGIC, openFrame } from '../proto/segment-frame.js';
import { decodeFooter } from '../proto/segment-header.js';

/** Where a block lies in the file of its segment; `bytes` counts its frame too. */
export interface BlockPosition {
  readonly offset: number;
  readonly bytes: number;
}

const TRAILER_BYTES = 4 + MAGIC.length;
const END_BYTES = 4;

/** The blocks of a segment, found through its footer without reading them. */
export async function blocksOf(file: FileHandle): Promise<BlockPosition[]> {
  const { size } = await file.stat();
  const trailer = await readAt(file, size - TRAILER_BYTES, TRAILER_BYTES);
  const footerBytes = trailer.readUInt32LE(0) + FRAME_OVERHEAD;
  const footerOffset = size - TRAILER_BYTES - footerBytes;
  const footer = openFrame(await readAt(file, footerOffset, footerBytes), footerOffset);
  const { blockBytes } = decodeFooter(footer);
  const total = blockBytes.reduce((sum, bytes) => sum + bytes + FRAME_OVERHEAD, 0);
  let offset = footerOffset - END_BYTES - total;
  return blockBytes.map((payloadBytes) => {
    const position = { offset, bytes: payloadBytes + FRAME_OVERHEAD };
    offset += position.bytes;
    return position;
  });
}

/** Fills `target` from a place in the file. Throws `segment-invalid` where the file is too short. */
export async function readInto(file: FileHandle, offset: number, target: Buffer): Promise<void> {
  const { length } = target;
  if ((await file.read(target, 0, length, offset)).bytesRead === length) return;
  throw new TacetError('segment-invalid', `the segment has no ${length} bytes at byte ${offset}`);
}

async function readAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  if (offset < 0) throw new TacetError('segment-invalid', 'the segment is shorter than its footer');
  const target = Buffer.allocUnsafe(bytes);
  await readInto(file, offset, target);
  return target;
}
