import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sha256Hex } from '../../../../proto/digest.js';
import { parseFederationPlan, planDigest } from '../../../../proto/federation-plan.js';
import { capturedRun } from '../captured-run.js';
import { smallCorpus } from '../small-corpus.js';

let folder: string;
const at = (name: string) => path.join(folder, name);
beforeAll(async () => {
  folder = await smallCorpus('tacet-federation-create-', 1);
});
afterAll(() => rm(folder, { recursive: true }));

const create = (data: string, ...args: string[]) =>
  capturedRun(
    ...['--json', 'federation', 'create', '--data', at(data), '--workers', 'north,south'],
    ...['--network', 'festag', '--embeddings', at('words.vec'), '--scheme', 'synthetic', ...args],
  );
const planIn = async (data: string) =>
  JSON.parse(await readFile(at(`${data}/federation/plan.json`), 'utf8'));

test('a plan states the rate and the loss that were agreed upon, and nothing where none were', async () => {
  const stated = ['--procedure', 'selective', '--learning-rate', '0.3', '--loss', 'mean'];
  expect((await create('rated', ...stated)).exit).toBe(0);
  expect(await planIn('rated')).toMatchObject({ learningRate: 0.3, loss: 'mean' });
  expect((await create('own', '--procedure', 'selective')).exit).toBe(0);
  expect(Object.keys(await planIn('own'))).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/learningRate|loss/)]),
  );
});

test('a round robin ends with an average over rounds where nothing else is said, others with their last', async () => {
  const averagingOf = async (data: string, ...args: string[]) => {
    expect((await create(data, ...args)).exit).toBe(0);
    return (await planIn(data)).averaging;
  };
  const robin = ['--procedure', 'round-robin', '--learning-rate', '0.3', '--loss', 'mean'];
  expect(await averagingOf('robin', ...robin)).toBe(0.5);
  expect(await averagingOf('last', ...robin, '--averaging', '0')).toBeUndefined();
  expect(await averagingOf('mean')).toBeUndefined();
  expect(await averagingOf('asked', '--averaging', '0.8')).toBe(0.8);
  expect((await create('lots', '--procedure', 'selective', '--averaging', '0.8')).exit).not.toBe(0);
});

test('a plan has a digest that is told, by which workers know it', async () => {
  const { stdout } = await create('told');
  const plan = parseFederationPlan(await planIn('told'));
  expect(JSON.parse(stdout).digest).toBe(planDigest(plan));
  const weights = await readFile(at('told/federation/first.bin'));
  expect(plan.firstWeights).toBe(sha256Hex(weights));
});

test('a plan states what the first weights learned from, and nothing where they are drawn', async () => {
  const taught = ['--public-notes', at('notes'), '--public-epochs', '1'];
  expect((await create('taught', '--procedure', 'selective', ...taught)).exit).toBe(0);
  expect((await planIn('taught')).publicNotes).toEqual({ documents: 1, epochs: 1 });
  expect((await create('drawn', '--procedure', 'selective')).exit).toBe(0);
  expect(await planIn('drawn')).not.toHaveProperty('publicNotes');
});

test.each([
  ['a plan that cannot be', 'refused', ['--procedure', 'selective', '--averaging', '0.8']],
  ['a directory that has a federation', 'had', []],
])('%s is refused before public notes are learned from', async (_, data, args) => {
  if (data === 'had') expect((await create(data)).exit).toBe(0);
  const taught = ['--public-notes', at('notes'), '--public-epochs', '1'];
  const { exit, stderr } = await create(data, ...taught, ...args);
  expect(exit).toBeGreaterThan(0);
  expect(stderr).not.toContain('public notes');
});

test.each(['round-robin', 'selective'])(
  'an end of rounds is refused for %s, which has none',
  async (procedure) => {
    const asked = ['--procedure', procedure, '--round-seconds', '60'];
    const { exit, stderr } = await create(`ends-${procedure}`, ...asked);
    expect(exit).not.toBe(0);
    expect(stderr).toContain('leave --round-seconds out');
  },
);

test('a promise that no noise keeps is refused, which no worker could join', async () => {
  const asked = ['--procedure', 'private-averaging', '--epsilon', '0.005'];
  const { exit, stderr } = await create('promised', ...asked);
  expect(exit).not.toBe(0);
  expect(stderr).toContain('no noise keeps 160 steps to an epsilon of 0.005');
  await expect(planIn('promised')).rejects.toThrow('ENOENT');
});

test('a loss for private averaging is refused before anything is written', async () => {
  const { exit, stderr } = await create('p', '--procedure', 'private-averaging', '--loss', 'sum');
  expect(exit).not.toBe(0);
  expect(stderr).toContain('leave --loss out');
  await expect(planIn('p')).rejects.toThrow('ENOENT');
});
