import { describe, expect, test } from '@jest/globals';
import { DiskBlobs } from '../../../pool-store/blobs/disk-blobs.js';
import { probeTokens } from '../../../pool-store/segments/probe-sample.js';
import { readProbes } from '../../../pool-store/segments/probes.js';
import type { SegmentRecord } from '../../../pool-store/segments/segment-records.js';
import { decodeElements } from '../../../proto/element.js';

const DIMENSION = 50;
const BYTES = 4 * 1024 * 1024;
const size = 2 * probeTokens(DIMENSION) * DIMENSION;

/** A blob of finite float16, and how it is asked for. */
class AskedBlobs extends DiskBlobs {
  readonly content = Buffer.alloc(BYTES, Buffer.from([0x12, 0x34, 0x21, 0x30, 0x05, 0x28, 0x33]));
  readonly asked: (readonly [number, number])[] = [];

  override async open() {
    return {
      bytes: BYTES,
      readInto: async (place: number, bytes: Uint8Array) => {
        this.asked.push([place, bytes.length]);
        bytes.set(this.content.subarray(place, place + bytes.length));
      },
      close: async () => {},
    };
  }
}

async function found(probes: readonly number[]) {
  const blobs = new AskedBlobs('nowhere');
  const segment = { digest: '', dimension: DIMENSION, elementType: 'float16', probes };
  const points = await readProbes(blobs, segment as unknown as SegmentRecord);
  const expected = probes.map((place) =>
    decodeElements(blobs.content.subarray(place, place + size), 'float16'),
  );
  expect(points).toEqual(expected);
  return blobs.asked;
}

describe('the probes of a stored segment', () => {
  test('are read at once where they lie near each other, in any order', async () => {
    const asked = await found([200_001, 1000, 90_000, 50_000, 140_003]);
    expect(asked).toEqual([[1000, 200_001 + size - 1000]]);
  });

  test('are read apart where they lie far apart, and no more than a megabyte at once', async () => {
    expect(await found([0, 3_000_000])).toHaveLength(2);
    const near = Array.from({ length: 60 }, (_, i) => 60_000 * i);
    const asked = await found(near);
    expect(asked.length).toBeGreaterThan(3);
    expect(Math.max(...asked.map(([, bytes]) => bytes))).toBeLessThanOrEqual(1024 * 1024);
  });

  test('of one that has none are none', async () => {
    expect(await found([])).toEqual([]);
  });
});
