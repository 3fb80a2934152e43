import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeSafetensors } from '../../../../models/bundle/safetensors.js';
import type { EpochRecord } from '../../../../models/training/run/metrics-file.js';
import { RunDirectory } from '../../../../models/training/run/run-directory.js';
import type { StageState } from '../../../../models/training/run/stage-state.js';

const CONFIG = { seed: 1 };

let directory = '';
const at = (name: string) => path.join(directory, name);
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tacet-run-'));
});
afterEach(() => rm(directory, { recursive: true }));

const resumed = () => RunDirectory.open(directory, CONFIG, { resume: true });
const metrics = () => readFile(at('metrics.jsonl'), 'utf8');

function stateOf(epoch: number): StageState {
  const networks = { one: { weight: { shape: [1], data: Float32Array.of(epoch) } } };
  return {
    ...{ stage: 'P3', epoch, bestEpoch: epoch, best: { monitor: 1 }, finished: false },
    ...{ networks, bestNetworks: networks, optimisers: {} },
  };
}

function recordOf(epoch: number): EpochRecord {
  return { stage: 'P3', epoch, train: {}, validation: {}, tokens: 1, seconds: 1 };
}

/** A run of so many epochs. */
async function runOf(epochs: number): Promise<RunDirectory> {
  const run = await RunDirectory.open(directory, CONFIG);
  for (let epoch = 1; epoch <= epochs; epoch++) await run.save(stateOf(epoch), recordOf(epoch));
  return run;
}

describe('a run directory', () => {
  test('is not used twice by mistake, nor resumed with another configuration', async () => {
    await RunDirectory.open(directory, CONFIG);
    await expect(RunDirectory.open(directory, CONFIG)).rejects.toMatchObject({
      code: 'file-exists',
    });
    await expect(RunDirectory.open(directory, { seed: 2 }, { resume: true })).rejects.toMatchObject(
      { code: 'checkpoint-invalid' },
    );
  });

  test('is not resumed where no run was begun, and is not made then', async () => {
    const nowhere = at('nowhere');
    await expect(RunDirectory.open(nowhere, CONFIG, { resume: true })).rejects.toMatchObject({
      code: 'file-not-found',
      message: expect.stringContaining('leave --resume out'),
    });
    expect(await readdir(directory)).toEqual([]);
    await RunDirectory.beginOrResume(nowhere, CONFIG);
    await expect(RunDirectory.beginOrResume(nowhere, CONFIG)).resolves.toBeDefined();
  });

  test('does not train a stage anew whose checkpoint cannot be read', async () => {
    const run = await runOf(2);
    await rm(at('checkpoints/P3.json'));
    await mkdir(at('checkpoints/P3.json'));
    await expect(run.latest('P3')).rejects.toMatchObject({ code: 'file-unreadable' });
    await expect(resumed()).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('loses, when it is resumed, the weights that no checkpoint names', async () => {
    await runOf(2);
    const before = await readdir(at('checkpoints'));
    for (const left of ['P3-1.safetensors', 'P3-3.safetensors.part'])
      await writeFile(at(`checkpoints/${left}`), 'half');
    expect((await (await resumed()).latest('P3'))?.epoch).toBe(2);
    expect(await readdir(at('checkpoints'))).toEqual(before);
  });

  test('goes on with a run whose configuration holds a key that no longer is', async () => {
    await RunDirectory.open(directory, { P3: { patience: 8, adversaries: 1 } });
    const resume = RunDirectory.open(directory, { P3: { patience: 8 } }, { resume: true });
    await expect(resume).resolves.toBeDefined();
  });

  test('takes a key that is newer than the run for its default', async () => {
    await RunDirectory.open(directory, { seed: 1, P3: { patience: 8 } });
    const resume = (P3: object) =>
      RunDirectory.open(
        directory,
        { seed: 1, P3: { patience: 8, ...P3 } },
        { resume: true, defaults: { seed: 7, P3: { patience: 9, rounds: 2 } } },
      );
    await expect(resume({ rounds: 2 })).resolves.toBeDefined();
    await expect(resume({ rounds: 3 })).rejects.toMatchObject({ code: 'checkpoint-invalid' });
  });

  test('keeps the newest epoch of a stage, and a line of each', async () => {
    const run = await runOf(3);
    expect(await run.latest('P3')).toEqual(stateOf(3));
    expect(await run.lastEpoch('P3')).toBe(3);
    expect(await run.lastEpoch('P1')).toBeNull();
    expect(await run.epochs('P3')).toEqual([1, 2, 3].map(recordOf));
    expect((await readdir(at('checkpoints'))).sort()).toEqual(['P3-3.safetensors', 'P3.json']);
  });

  test.each([
    ['was never written', (text: string) => text.slice(0, text.lastIndexOf('{'))],
    ['was torn off', (text: string) => text.slice(0, -20)],
    ['lacks its end', (text: string) => text.slice(0, -1)],
    ['is zeros', (text: string) => `${text.slice(0, text.lastIndexOf('{'))}\0\0\0\0`],
  ])('resumed writes the line of its last epoch that %s', async (_, spoil) => {
    await runOf(2);
    const whole = await metrics();
    await writeFile(at('metrics.jsonl'), spoil(whole));
    const run = await resumed();
    expect(await metrics()).toBe(whole);
    expect(await run.epochs('P3')).toEqual([1, 2].map(recordOf));
    await resumed();
    expect(await metrics()).toBe(whole);
  });

  test.each([
    ['config.json', ''],
    ['config.json', '{"seed"'],
    ['checkpoints/P3.json', ''],
    ['checkpoints/P3.json', '{"stage": "P3"}'],
    ['checkpoints/P3-1.safetensors', 'nothing'],
    ['checkpoints/P3-1.safetensors', null],
    ['metrics.jsonl', 'not a record\n'],
  ])('resumed with a %s of %j says which file is wrong', async (name, content) => {
    await runOf(1);
    if (content === null) await rm(at(name));
    else await writeFile(at(name), content);
    const goOn = async () => (await resumed()).latest('P3');
    await expect(goOn()).rejects.toMatchObject({
      code: 'checkpoint-invalid',
      message: expect.stringContaining(at(name)),
    });
  });

  test.each(['networks:__proto__:polluted', 'networks:one:__proto__'])(
    'keeps %s of a weights file to itself',
    async (key) => {
      await runOf(1);
      const one = { shape: [1], data: Float32Array.of(7) };
      await writeFile(
        at('checkpoints/P3-1.safetensors'),
        writeSafetensors(Object.fromEntries([[key, one]])),
      );
      const state = await (await resumed()).latest('P3');
      expect({}).not.toHaveProperty('polluted');
      const [, owner, name] = key.split(':') as [string, string, string];
      expect(Object.keys(state?.networks ?? {})).toEqual([owner]);
      expect(Object.keys(state?.networks[owner] ?? {})).toEqual([name]);
    },
  );

  test.each(['networks', 'networks:one', 'networks:one:a:b', 'networks::a', 'others:one:a'])(
    'takes no weights file that holds %s',
    async (key) => {
      await runOf(1);
      const one = { shape: [1], data: Float32Array.of(7) };
      await writeFile(at('checkpoints/P3-1.safetensors'), writeSafetensors({ [key]: one }));
      await expect((await resumed()).latest('P3')).rejects.toMatchObject({
        code: 'checkpoint-invalid',
        message: expect.stringContaining(`holds "${key}", expected group:owner:name`),
      });
    },
  );

  test('resumes a checkpoint that says nothing of its record', async () => {
    await runOf(1);
    const { record: _, ...index } = JSON.parse(await readFile(at('checkpoints/P3.json'), 'utf8'));
    await writeFile(at('checkpoints/P3.json'), JSON.stringify(index));
    await appendFile(at('metrics.jsonl'), '{"stage"');
    const run = await resumed();
    expect(await run.latest('P3')).toEqual(stateOf(1));
    expect(await run.epochs('P3')).toEqual([recordOf(1)]);
  });
});
