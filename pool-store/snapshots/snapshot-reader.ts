import { inParallel } from '../../platform/parallel.js';
import { TacetError } from '../../proto/errors.js';
import { CHECKSUM_BYTES, FRAME_START, openFrame } from '../../proto/segment-frame.js';
import { messagesOf, type SentenceLayout } from '../../proto/sentence-message.js';
import { isUnavailable } from '../blobs/blob-faults.js';
import type { Blobs, OpenBlob } from '../blobs/blobs.js';
import type { BlockIndex } from '../segments/block-index.js';
import { type BlockPosition, positionsOf, readPlaces } from '../segments/block-places.js';
import { FAST_SUMS } from '../segments/fast-sums.js';
import { permutation } from './permutation.js';
import type { Snapshot } from './snapshot.js';

/** Sentences of this many bytes are shuffled with each other at a time. */
const WINDOW_BYTES = 16 * 1024 * 1024;

interface Block extends BlockPosition {
  readonly segment: string;
}

/** Where a snapshot is read from. Segments whose blocks no index knows are asked for them. */
export interface SnapshotSource {
  readonly blobs: Blobs;
  readonly blockIndex?: Pick<BlockIndex, 'of'>;
}

/** A part of a snapshot: messages in their order, each somewhere in one buffer. */
export interface MessageWindow {
  readonly bytes: Uint8Array;
  readonly messages: readonly SentenceLayout[];
}

/**
 * Every sentence of a snapshot as it lies on disk, in an order that follows from `seed`. The blocks
 * of all segments are shuffled; then the sentences within each window of blocks. Memory is one
 * window, whose buffer the next one takes over, and the position of every block (256 KiB each). Where
 * blobs are far away, blocks are read several at a time, and the next window, into a second buffer, while
 * this one is used. Blocks are checked against their checksums and messages against their shape; values were checked
 * when the segment was uploaded.
 */
export async function* readWindows(
  source: SnapshotSource,
  snapshot: Snapshot,
  seed: number,
  windowBytes = WINDOW_BYTES,
): AsyncGenerator<MessageWindow> {
  const { blobs } = source;
  const windows = windowsOf(await blocksOf(source, snapshot.segments), seed, windowBytes);
  const buffers = [new WindowBuffer(), new WindowBuffer()];
  const read = (number: number) => {
    const window = windows[number];
    const buffer = buffers[number % (isFar(blobs) ? 2 : 1)].of(bytesOf(window));
    return { buffer, messages: readWindow(blobs, snapshot, window, buffer) };
  };
  let next = read(0);
  for (const number of windows.keys()) {
    const { buffer, messages } = next;
    const found = await messages;
    const order = permutation(found.length, seed, `window ${number}`);
    const isLast = number + 1 === windows.length;
    if (isFar(blobs) && !isLast) next = readAhead(read, number + 1);
    yield { bytes: buffer, messages: Array.from(order, (index) => found[index]) };
    if (!isFar(blobs) && !isLast) next = read(number + 1);
  }
}

function isFar({ parallelReads }: Blobs): boolean {
  return parallelReads > 1;
}

/** Whoever stops reading before hears of no failure of what was read ahead. */
function readAhead<T extends { readonly messages: Promise<unknown> }>(
  read: (number: number) => T,
  number: number,
): T {
  const ahead = read(number);
  ahead.messages.catch(() => {});
  return ahead;
}

/** One buffer for windows, which grows to the largest. */
class WindowBuffer {
  #buffer: Buffer = Buffer.alloc(0);

  of(bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafe(bytes);
    return this.#buffer;
  }
}

function bytesOf(window: readonly Block[]): number {
  return window.reduce((sum, block) => sum + block.bytes, 0);
}

async function blocksOf(
  { blobs, blockIndex }: SnapshotSource,
  segments: readonly string[],
): Promise<Block[]> {
  const known = await blockIndex?.of(segments);
  const found = await inParallel(segments, blobs.parallelReads, async (segment) => {
    const places =
      known?.get(segment) ?? (await fromSegment(blobs, segment, undefined, readPlaces));
    return positionsOf(places).map((position) => ({ ...position, segment }));
  });
  return found.flat();
}

/** Reads from a stored segment. What was in order when it was stored is damage now: `store-damaged`. */
async function fromSegment<T>(
  blobs: Blobs,
  segment: string,
  amongBytes: number | undefined,
  read: (blob: OpenBlob) => T | Promise<T>,
): Promise<T> {
  try {
    const blob = await blobs.open(segment, amongBytes);
    try {
      return await read(blob);
    } finally {
      await blob.close();
    }
  } catch (cause) {
    if (!(cause instanceof TacetError) || isUnavailable(cause)) throw cause;
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

/** Reads blocks into the buffer, one behind the other; returns where their messages lie in it. */
async function readWindow(
  blobs: Blobs,
  snapshot: Snapshot,
  window: readonly Block[],
  buffer: Buffer,
): Promise<SentenceLayout[]> {
  const places: number[] = [];
  let end = 0;
  for (const { bytes } of window) {
    places.push(end);
    end += bytes;
  }
  const found = await inParallel(window, blobs.parallelReads, (block, index) => {
    const place = places[index];
    const bytes = buffer.subarray(place, place + block.bytes);
    const extent = { start: place + FRAME_START, stop: place + block.bytes - CHECKSUM_BYTES };
    return fromSegment(blobs, block.segment, snapshot.bytes, async (blob) => {
      await blob.readInto(block.offset, bytes);
      openFrame(bytes, block.offset, FAST_SUMS.checksum);
      return [...messagesOf(buffer, snapshot, extent)];
    });
  });
  return found.flat();
}
