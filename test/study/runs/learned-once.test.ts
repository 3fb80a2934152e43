import { expect, test } from '@jest/globals';
import type { Tagger } from '../../../models/networks/tagger.js';
import { LearnedOnce } from '../../../study/runs/learned-once.js';

test('a network is trained once, and what it took is told each time', async () => {
  const networks = new LearnedOnce();
  let trained = 0;
  let disposed = 0;
  const tagger = { deidentifier: { dispose: () => disposed++ } } as unknown as Tagger;
  const train = async () => {
    trained++;
    return tagger;
  };
  expect(networks.has('of south')).toBe(false);
  const first = await networks.learn('of south', train);
  expect(networks.has('of south')).toBe(true);
  expect(await networks.learn('of south', train)).toBe(first);
  expect(first.tagger).toBe(tagger);
  await networks.learn('of west', train);
  expect(trained).toBe(2);
  await networks.dispose();
  expect([disposed, networks.has('of south')]).toEqual([2, false]);
});
