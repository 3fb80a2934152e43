import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DiskBlobs } from '../../../pool-store/blobs/disk-blobs.js';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import { readWindows } from '../../../pool-store/snapshots/snapshot-reader.js';
import { writeSegment } from '../../../proto/segment.js';
import type { SegmentShape } from '../../../proto/segment-header.js';
import { sentenceOf, shape } from '../../proto/encoded-sentences.js';
import { sha256 } from '../../services/world.js';
import { contentOf } from '../content.js';

const WIDE: SegmentShape = { ...shape, dimension: 512, labelCount: 7 };
const plain = sentenceOf(4, 1, WIDE);
const BLOCK_BYTES = 256 * 1024;
const SENTENCES = 2000;

class CountingBlobs extends DiskBlobs {
  opened = 0;

  override open(digest: string) {
    this.opened++;
    return super.open(digest);
  }
}

let directory: string;
let blobs: CountingBlobs;
let snapshot: Snapshot;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-reader-'));
  blobs = new CountingBlobs(directory, join(directory, 'drafts'));
  const segments: string[] = [];
  for (const segment of [0, 1, 2, 3]) {
    const first = (segment * SENTENCES) / 4;
    const sentences = Array.from({ length: SENTENCES / 4 }, (_, i) => numbered(first + i));
    const bytes = writeSegment(WIDE, sentences);
    await blobs.put(contentOf(bytes), sha256(bytes));
    segments.push(sha256(bytes));
  }
  snapshot = {
    ...WIDE,
    id: 'id',
    created: '2030-01-01T00:00:00Z',
    sentenceCount: SENTENCES,
    tokens: SENTENCES * 4,
    bytes: 0,
    institutions: [],
    keptTypes: [],
    parts: [{ copies: 1, keptTypes: [], sentenceCount: SENTENCES, tokens: SENTENCES * 4 }],
    segments: segments.sort(),
    withdrawn: false,
  };
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A sentence that says its number in its labels, to the base 7. */
function numbered(number: number) {
  const labels = Uint8Array.from([343, 49, 7, 1], (unit) => Math.floor(number / unit) % 7);
  return { ...plain, labels };
}

async function order(seed: number, windowBytes: number): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { bytes, messages } of readWindows({ blobs }, snapshot, seed, windowBytes)) {
    for (const { labelsStart, tokens } of messages) {
      const labels = bytes.subarray(labelsStart, labelsStart + tokens);
      numbers.push(labels.reduce((number, digit) => number * 7 + digit, 0));
    }
  }
  return numbers;
}

describe('reading a snapshot', () => {
  test('gives every sentence once, in the order of the seed', async () => {
    const first = await order(1, BLOCK_BYTES * 3);
    expect([...first].sort((a, b) => a - b)).toEqual(
      Array.from({ length: SENTENCES }, (_, i) => i),
    );
    expect(await order(1, BLOCK_BYTES * 3)).toEqual(first);
    expect(await order(2, BLOCK_BYTES * 3)).not.toEqual(first);
  });

  test('mixes the segments with each other', async () => {
    const segmentOf = (number: number) => Math.floor((number * 4) / SENTENCES);
    const numbers = await order(1, BLOCK_BYTES * 8);
    const changes = numbers.filter((n, i) => i > 0 && segmentOf(n) !== segmentOf(numbers[i - 1]));
    expect(changes.length).toBeGreaterThan(SENTENCES / 2);
  });

  test('reads no more than one window ahead', async () => {
    const windowBlocks = 3;
    blobs.opened = 0;
    const reading = readWindows({ blobs }, snapshot, 1, BLOCK_BYTES * windowBlocks);
    await reading.next();
    // Each segment is opened once for its index, and ends in a block that may be short.
    expect(blobs.opened).toBeLessThanOrEqual(2 * snapshot.segments.length + windowBlocks);
    expect(blobs.opened).toBeLessThan(SENTENCES / 64);
    await reading.return(undefined);
  });
});
