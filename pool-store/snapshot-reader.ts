import { TacetError } from '../proto/errors.js';
import { CHECKSUM_BYTES, FRAME_START, openFrame } from '../proto/segment-frame.js';
import { messagesOf, type SentenceLayout } from '../proto/sentence-message.js';
import type { Blobs, OpenBlob } from './blobs.js';
import { type BlockPosition, blocksOf } from './block-index.js';
import { permutation } from './permutation.js';
import type { Snapshot } from './snapshots.js';

/** Sentences of this many bytes are shuffled with each other at a time. */
const WINDOW_BYTES = 16 * 1024 * 1024;

interface Block extends BlockPosition {
  readonly segment: string;
}

/** A part of a snapshot: messages in their order, each somewhere in one buffer. */
export interface MessageWindow {
  readonly bytes: Uint8Array;
  readonly messages: readonly SentenceLayout[];
}

/**
 * Every sentence of a snapshot as it lies on disk, in an order that follows from `seed`. The blocks
 * of all segments are shuffled; then the sentences within each window of blocks. Memory is one
 * window, whose buffer the next one takes over, and the position of every block (256 KiB each).
 * Blocks are checked against their checksums and messages against their shape; values were checked
 * when the segment was uploaded.
 */
export async function* readWindows(
  blobs: Blobs,
  snapshot: Snapshot,
  seed: number,
  windowBytes = WINDOW_BYTES,
): AsyncGenerator<MessageWindow> {
  let buffer: Buffer = Buffer.alloc(0);
  const windows = windowsOf(await positionsOf(blobs, snapshot.segments), seed, windowBytes);
  for (const [number, window] of windows.entries()) {
    const bytes = window.reduce((sum, block) => sum + block.bytes, 0);
    if (buffer.length < bytes) buffer = Buffer.allocUnsafe(bytes);
    const messages = await readWindow(blobs, snapshot, window, buffer);
    const order = permutation(messages.length, seed, `window ${number}`);
    yield { bytes: buffer, messages: Array.from(order, (index) => messages[index]) };
  }
}

async function positionsOf(blobs: Blobs, segments: readonly string[]): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const segment of segments) {
    const positions = await fromSegment(blobs, segment, blocksOf);
    for (const position of positions) blocks.push({ ...position, segment });
  }
  return blocks;
}

/** Reads from a stored segment. What was in order when it was stored is damage now: `store-damaged`. */
async function fromSegment<T>(
  blobs: Blobs,
  segment: string,
  read: (blob: OpenBlob) => T | Promise<T>,
): Promise<T> {
  try {
    const blob = await blobs.open(segment);
    try {
      return await read(blob);
    } finally {
      await blob.close();
    }
  } catch (cause) {
    if (!(cause instanceof TacetError)) throw cause;
    throw new TacetError('store-damaged', `segment ${segment}: ${cause.message}`, { cause });
  }
}

/** The blocks in the order of the seed, parted where a window is full. */
function windowsOf(blocks: readonly Block[], seed: number, windowBytes: number): Block[][] {
  const windows: Block[][] = [[]];
  let bytes = 0;
  for (const index of permutation(blocks.length, seed, 'blocks')) {
    if (bytes >= windowBytes) {
      windows.push([]);
      bytes = 0;
    }
    windows.at(-1)?.push(blocks[index]);
    bytes += blocks[index].bytes;
  }
  return windows;
}

/** Reads blocks one after the other into the buffer; returns where their messages lie in it. */
async function readWindow(
  blobs: Blobs,
  snapshot: Snapshot,
  window: readonly Block[],
  buffer: Buffer,
): Promise<SentenceLayout[]> {
  const messages: SentenceLayout[] = [];
  let place = 0;
  for (const block of window) {
    const bytes = buffer.subarray(place, place + block.bytes);
    const extent = { start: place + FRAME_START, stop: place + block.bytes - CHECKSUM_BYTES };
    await fromSegment(blobs, block.segment, async (blob) => {
      await blob.readInto(block.offset, bytes);
      openFrame(bytes, block.offset);
      for (const layout of messagesOf(buffer, snapshot, extent)) messages.push(layout);
    });
    place += block.bytes;
  }
  return messages;
}
