import { expect, test } from '@jest/globals';
import {
  type FederationPlan,
  parseFederationPlan,
  parseFederationTask,
} from '../../../proto/federation-plan.js';
import { localPart } from '../../../services/workflows/federation/local-part.js';

const PRIVATE = { epsilon: 8, delta: 1e-5 };
const planOf = (changes: Partial<FederationPlan>) => ({
  ...{ format: 1, procedure: 'averaging', network: 'deidentifier', epochs: 3, seed: 1 },
  ...{ scheme: 'a'.repeat(64), embeddings: 'words', weights: 10, workers: ['north'] },
  ...{ roundSeconds: null, guarantee: null },
  ...changes,
});

test.each([
  ['another procedure', {}, /the procedure here/],
  [
    'a greater epsilon',
    { procedure: 'private-averaging', guarantee: { epsilon: 9, delta: 1e-5 } },
    /an epsilon of 9 .* agreed are 8/,
  ],
  [
    'a greater delta',
    { procedure: 'private-averaging', guarantee: { epsilon: 8, delta: 1e-3 } },
    /a delta of 0.001/,
  ],
] as const)('a worker refuses a plan of %s, and reads no note for it', async (_, changes, says) => {
  const notes = {
    ...{ name: 'north', procedure: 'private-averaging', most: PRIVATE },
    ...{ corpus: 'nowhere', embeddings: 'nowhere', scheme: 'phi-binary' },
  };
  const { signal } = new AbortController();
  const work = { signal, progress: () => undefined };
  await expect(localPart(parseFederationPlan(planOf(changes)), notes, work)).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(says),
  });
});

test('half an epoch is no task, for there are more halves than were agreed upon', () => {
  expect(parseFederationTask({ task: 'train', epoch: 1 })).toEqual({ task: 'train', epoch: 1 });
  expect(() => parseFederationTask({ task: 'train', epoch: 0.5 })).toThrow(/epoch/);
});

test.each([
  ['private averaging that promises nothing', { procedure: 'private-averaging' }],
  ['a promise that nothing keeps', { guarantee: PRIVATE }],
] as const)('%s is no plan', (_, changes) => {
  expect(() => parseFederationPlan(planOf(changes))).toThrow(/guarantee/);
});
