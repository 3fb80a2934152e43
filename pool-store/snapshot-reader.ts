import { type EncodedSentence, sentenceAt } from '../proto/encoded-sentence.js';
import { openFrame } from '../proto/segment-frame.js';
import { messagesOf, type SentenceLayout } from '../proto/sentence-message.js';
import type { BlobStore } from './blob-store.js';
import { type BlockPosition, blocksOf, readAt } from './block-index.js';
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
 * window and the position of every block (256 KiB each). Blocks are checked against their checksums
 * and messages against their shape; values were checked when the segment was uploaded.
 */
export async function* readWindows(
  blobs: BlobStore,
  snapshot: Snapshot,
  seed: number,
  windowBytes = WINDOW_BYTES,
): AsyncGenerator<MessageWindow> {
  const blocks = await positionsOf(blobs, snapshot.segments);
  const order = permutation(blocks.length, seed, 'blocks');
  let window: Block[] = [];
  let bytes = 0;
  let windows = 0;
  for (const index of order) {
    const block = blocks[index];
    window.push(block);
    bytes += block.bytes;
    if (bytes < windowBytes) continue;
    yield shuffledWindow(blobs, snapshot, window, seed, windows++);
    window = [];
    bytes = 0;
  }
  yield shuffledWindow(blobs, snapshot, window, seed, windows);
}

/** The same as sentences, one at a time. */
export async function* readShuffled(
  ...reading: Parameters<typeof readWindows>
): AsyncGenerator<EncodedSentence> {
  for await (const { bytes, messages } of readWindows(...reading)) {
    for (const layout of messages) yield sentenceAt(bytes, layout);
  }
}

async function positionsOf(blobs: BlobStore, segments: readonly string[]): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const segment of segments) {
    const file = await blobs.open(segment);
    try {
      for (const position of await blocksOf(file)) blocks.push({ ...position, segment });
    } finally {
      await file.close();
    }
  }
  return blocks;
}

async function shuffledWindow(
  blobs: BlobStore,
  snapshot: Snapshot,
  window: readonly Block[],
  seed: number,
  number: number,
): Promise<MessageWindow> {
  const payloads: Uint8Array[] = [];
  for (const block of window) payloads.push(openFrame(await readBlock(blobs, block), block.offset));
  const bytes = Buffer.concat(payloads);
  const messages = [...messagesOf(bytes, snapshot)];
  const order = permutation(messages.length, seed, `window ${number}`);
  return { bytes, messages: Array.from(order, (index) => messages[index]) };
}

async function readBlock(blobs: BlobStore, { segment, offset, bytes }: Block): Promise<Buffer> {
  const file = await blobs.open(segment);
  try {
    return await readAt(file, offset, bytes);
  } finally {
    await file.close();
  }
}
