import { expect, test } from '@jest/globals';
import type { SharingResult } from '../../../study/sharing/sharing-result.js';
import { sharingTable } from '../../../study/sharing/sharing-table.js';

const resultOf = (row: string, leaves: string): SharingResult => ({
  ...{ row, leaves, seed: 1, bytes: 0, rounds: 0, guarantee: 'none', told: null },
  ...{ wallSeconds: 0, cpuSeconds: 0, sites: {} },
});

test('a way of which nothing is known says why nothing is known of it', () => {
  const [head, ...rows] = sharingTable([
    resultOf('alone south', 'nothing'),
    resultOf('text', 'text'),
    resultOf('round robin', 'changes of weights'),
  ]);
  const told = head?.indexOf('PHI word told') ?? -1;
  expect(rows.map((row) => row[told])).toEqual([
    ...['nothing leaves', 'no word can move', 'not attacked'],
  ]);
});
