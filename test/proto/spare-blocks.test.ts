import { expect, test } from '@jest/globals';
import { segmentParts, writeSegment } from '../../proto/segment.js';
import { SpareBlocks } from '../../proto/spare-blocks.js';
import { sentenceOf, shape } from './encoded-sentences.js';

const ROOM_BYTES = 320 * 1024;
/** More than two blocks. */
const many = Array.from({ length: 300 }, (_, i) => sentenceOf(1 + (i % 40), i, wide()));

function wide() {
  return { ...shape, dimension: 200 };
}

test('a segment in blocks of an earlier one has the bytes that it has in new ones', () => {
  const spare = new SpareBlocks();
  const earlier = segmentParts(wide(), [...many].reverse(), spare);
  const memory = earlier.slice(1, -1).map(({ buffer }) => buffer);
  spare.giveBack(earlier);
  const parts = segmentParts(wide(), many, spare);
  expect(parts.length).toBeGreaterThan(3);
  expect(memory).toContain(parts[1]?.buffer);
  expect(Buffer.concat(parts).equals(writeSegment(wide(), many))).toBe(true);
});

test('no block is in two segments that are both held', () => {
  const spare = new SpareBlocks();
  const first = segmentParts(wide(), many, spare);
  const second = segmentParts(wide(), many, spare);
  const blocks = [...first, ...second]
    .map(({ buffer }) => buffer)
    .filter(({ byteLength }) => byteLength === ROOM_BYTES);
  expect(blocks.length).toBeGreaterThan(6);
  expect(new Set(blocks).size).toBe(blocks.length);
});

test('what is no block, or one that grew, is not taken for room of one', () => {
  const spare = new SpareBlocks();
  spare.giveBack([new Uint8Array(8), Buffer.from('part of a pool'), new Uint8Array(2 ** 20)]);
  const room = spare.take();
  expect(room.length).toBe(ROOM_BYTES);
  expect(room.byteOffset).toBe(0);
});
