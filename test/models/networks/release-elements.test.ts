import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ReleasedBatch } from '../../../models/networks/release.js';
import { elementWriter } from '../../../models/networks/release-elements.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { decodeElements } from '../../../proto/element.js';

/** Sentences of 2, 0, 3 and 1 tokens, of which the last and the third are in the batch. */
const STARTS = Uint32Array.of(0, 2, 2, 5, 6);
const BATCH: ReleasedBatch = {
  sentences: Uint32Array.of(3, 2),
  steps: 3,
  vectors: Float32Array.of(1, 2, -1, -1, -1, -1, 3, 4, 5, 6, 7, 8),
};

describe.each(['native', 'cpu'] as const)('elements on %s', (backend) => {
  beforeAll(() => useBackend(backend));

  test.each(['float16', 'float32'] as const)(
    'of %s stand where their sentence begins, without padding',
    (elementType) => {
      const elements = new Uint8Array(6 * 2 * (elementType === 'float16' ? 2 : 4));
      elementWriter(elementType, 2)(BATCH, STARTS, elements);
      const found = decodeElements(elements, elementType);
      expect([...found]).toEqual([0, 0, 0, 0, 3, 4, 5, 6, 7, 8, 1, 2]);
    },
  );
});

test.each([
  ['that there is not', { sentences: Uint32Array.of(3, 4) }],
  ['longer than the batch', { steps: 2, vectors: new Float32Array(8) }],
])('a sentence %s is refused', async (_, change) => {
  await useBackend('native');
  const write = elementWriter('float16', 2);
  expect(() => write({ ...BATCH, ...change }, STARTS, new Uint8Array(24))).toThrow(
    'float16Sentences: sentences must be of sentences that start and end among the elements',
  );
});

test('elements without room for a sentence are refused', async () => {
  await useBackend('native');
  expect(() => elementWriter('float16', 2)(BATCH, STARTS, new Uint8Array(22))).toThrow(
    'float16Sentences: sentences must be',
  );
});
