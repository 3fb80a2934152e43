import { beforeAll, expect, test } from '@jest/globals';
import { pairTrials } from '../../../../models/attacks/likelihood/pair-trials.js';
import { isPhi } from '../../../../models/certification/move.js';
import { Candidates } from '../../../../models/embeddings/candidates.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import { toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

test('a trial moves one PHI token among at most N words, itself first, wherever the list has it', async () => {
  const toy = await toyTarget({ neighbours: 4 });
  const ids = [...new Set(toy.test.flatMap((example) => [...example.ids]))];
  const list = Int32Array.from(ids);
  const candidates = new Candidates(4, new Map(ids.map((id) => [id, list])), new Map());
  const trials = pairTrials({ ...toy, candidates }, toy.test, 2, new Random(1));
  for (const { example, position, options, drawn, twin } of trials) {
    expect(isPhi(example, position)).toBe(true);
    expect(options.length).toBe(4);
    expect(new Set(options).size).toBe(4);
    expect(options[0]).toBe(example.ids[position]);
    expect(twin[position]).toBe(options[drawn]);
    expect(twin.filter((id, t) => t !== position && id !== example.ids[t]).length).toBe(0);
  }
});

test('half of the trials are real, and every sentence comes once before any comes twice', async () => {
  const toy = await toyTarget();
  const trials = pairTrials(toy, toy.test, 2, new Random(1));
  const half = trials.length / 2;
  expect(trials.filter(({ real }) => real).length).toBeCloseTo(half, -0.5);
  const once = new Set(trials.slice(0, half).map(({ example }) => example));
  expect(once.size).toBe(half);
});
