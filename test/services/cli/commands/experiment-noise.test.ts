import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { withoutLimit } from '../../../../study/measures/validation-scores.js';
import type { Measurements } from '../../../../study/runs/measurements.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const { at } = corpusSite(12, 4);

beforeAll(async () => {
  for (const kind of ['raw', 'adversarial']) {
    expect((await train(kind, kind, 'config.json')).exit).toBe(0);
  }
}, 120_000);

const train = (kind: string, out: string, config: string) =>
  capturedRun(
    ...['train', kind, at('notes'), '--out', at(out), '--config', at(config)],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic'],
  );

const noise = (run: string, ...args: string[]) =>
  capturedRun('experiment', 'noise', at(run), ...args);

const freeze = (run: string, name: string) =>
  capturedRun('experiment', 'freeze', at(run), '--name', name, '--out', at('frozen'));

const json = async (file: string) => JSON.parse(await readFile(at(file), 'utf8'));

describe('tacet experiment noise', () => {
  test('makes a run of its own, whose manifest and configuration state the noise', async () => {
    expect((await noise('adversarial', '--times', '3', '--out', at('louder'))).exit).toBe(0);
    const [before, after] = [
      await json('adversarial/manifest.json'),
      await json('louder/manifest.json'),
    ];
    const ratio = after.noise.outputStddev.mean / before.noise.outputStddev.mean;
    expect(ratio).toBeCloseTo(3, 4);
    expect(after.noise.inputStddev).toEqual(before.noise.inputStddev);
    expect(after.training).toMatchObject({ 'output noise multiplied by': 3 });
    expect(await json('louder/config.json')).toEqual({
      ...(await json('adversarial/config.json')),
      outputNoiseFactor: 3,
    });
  });

  test('ends with the weights of a training with that factor', async () => {
    await writeFile(
      at('loud.json'),
      JSON.stringify({ ...(await json('config.json')), outputNoiseFactor: 3 }),
    );
    expect((await train('adversarial', 'trained-loud', 'loud.json')).exit).toBe(0);
    for (const file of ['weights.safetensors', 'networks.safetensors', 'config.json'])
      expect(await readFile(at(`louder/${file}`))).toEqual(
        await readFile(at(`trained-loud/${file}`)),
      );
    const [trained, louder] = [
      await json('trained-loud/manifest.json'),
      await json('louder/manifest.json'),
    ];
    const scores = withoutLimit(trained.scores);
    expect(louder).toEqual({ ...trained, name: louder.name, scores });
  });

  test('leaves a run and a bundle that are there as they are', async () => {
    for (const [folder, file] of [
      ['bundle', 'manifest.json'],
      ['begun', 'config.json'],
    ] as const) {
      await mkdir(at(folder));
      await writeFile(at(`${folder}/${file}`), 'of another');
    }
    for (const out of ['adversarial', 'bundle', 'begun'])
      expect(await noise('adversarial', '--times', '2', '--out', at(out))).toMatchObject({
        exit: 3,
        stderr: expect.stringMatching(/file-exists: .* choose another directory/),
      });
    for (const file of ['bundle/manifest.json', 'begun/config.json'])
      expect(await readFile(at(file), 'utf8')).toBe('of another');
  });

  test('refuses noise that depends on the input', async () => {
    await writeFile(
      at('dependent.json'),
      JSON.stringify({
        ...(await json('config.json')),
        representation: { units: 12, dimension: 8, noise: 'dependent' },
      }),
    );
    expect((await train('adversarial', 'dependent', 'dependent.json')).exit).toBe(0);
    const { exit, stderr } = await noise('dependent', '--times', '2', '--out', at('no'));
    expect([exit, stderr]).toEqual([expect.any(Number), expect.stringContaining('not-certified')]);
    expect(exit).not.toBe(0);
    const frozen = await freeze('dependent', 'none');
    expect(frozen).toMatchObject({ exit: 4, stderr: expect.stringContaining('not-certified') });
  });

  test('multiplies again what was multiplied before', async () => {
    expect((await noise('louder', '--times', '2', '--out', at('loudest'))).exit).toBe(0);
    expect(await json('loudest/config.json')).toMatchObject({ outputNoiseFactor: 6 });
  });

  test('brings the limit of every attack down', async () => {
    const { exit } = await capturedRun(
      ...['experiment', 'measure', at('loudest'), at('adversarial'), '--only', 'bounds'],
      ...['--corpus', at('notes'), '--held-out', at('unseen')],
      ...['--embeddings', at('words.vec'), '--scheme', 'synthetic'],
    );
    expect(exit).toBe(0);
    const limit = async (run: string) => {
      const { bounds } = (await json(`${run}/measurements.json`)) as Measurements;
      return bounds?.certified.bound.value ?? 0;
    };
    expect(await limit('loudest')).toBeLessThan(await limit('adversarial'));
  });

  test('is frozen like any run, with what was measured of it', async () => {
    expect((await freeze('loudest', 'kept')).exit).toBe(0);
    const { training, noise, scores } = await json('frozen/kept/manifest.json');
    const { bounds } = (await json('loudest/measurements.json')) as Measurements;
    expect(training).toMatchObject({ 'output noise multiplied by': 6 });
    expect(noise).toEqual((await json('loudest/manifest.json')).noise);
    expect(scores['limit of every attack on pairs, held-out notes']).toBe(
      bounds?.certified.bound.value,
    );
  });

  test('refuses a run without a representation, a run in the way and a factor that is none', async () => {
    const none = await noise('raw', '--times', '2', '--out', at('no'));
    expect(none).toMatchObject({ exit: 3, stderr: expect.stringContaining('no representation') });
    const taken = await noise('adversarial', '--times', '2', '--out', at('louder'));
    expect(taken.stderr).toContain('file-exists');
    expect((await noise('adversarial', '--times', '0', '--out', at('no'))).exit).toBe(2);
  });
});
