import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packRun, unpackRun } from '../../../../models/training/run/run-archive.js';
import { RunDirectory } from '../../../../models/training/run/run-directory.js';
import { sha256Hex } from '../../../../proto/digest.js';

let folder: string;
const at = (name: string) => path.join(folder, name);
const coded = (code: string) => expect.objectContaining({ code });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-archive-'));
  const run = await RunDirectory.open(at('run'), { seed: 1 });
  const networks = { net: { w: { shape: [2], data: Float32Array.of(1, 2) } } };
  const state = { stage: 'supervised', epoch: 1, bestEpoch: 1, best: { monitor: 1 } };
  await run.save(
    { ...state, finished: false, networks, bestNetworks: networks, optimisers: {} },
    { stage: 'supervised', epoch: 1, train: {}, validation: {}, tokens: 1, seconds: 1 },
  );
  await writeFile(at('run/run.lock'), 'of this machine');
  await writeFile(at('run/weights.safetensors'), 'what came of it');
});
afterAll(() => rm(folder, { recursive: true }));

async function filesOf(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = names
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name));
  return Object.fromEntries(
    await Promise.all(
      files
        .sort()
        .map(async (file) => [path.relative(directory, file), sha256Hex(await readFile(file))]),
    ),
  );
}

/** An archive of one member. */
function archiveOf(list: unknown, content = ''): Buffer {
  const json = Buffer.from(JSON.stringify(list));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([Buffer.from('tacet-run-1\n'), length, json, Buffer.from(content)]);
}

describe('the archive of a run', () => {
  test('holds what it goes on from, byte for byte, and nothing else', async () => {
    const { digest, bytes } = await packRun(at('run'), at('archive'));
    const archive = await readFile(at('archive'));
    expect({ digest, bytes }).toEqual({ digest: sha256Hex(archive), bytes: archive.length });
    await unpackRun(at('archive'), at('elsewhere'));
    const { 'run.lock': _, 'weights.safetensors': __, ...kept } = await filesOf(at('run'));
    expect(await filesOf(at('elsewhere'))).toEqual(kept);
    const resumed = await RunDirectory.open(at('elsewhere'), { seed: 1 }, { resume: true });
    expect(await resumed.latest('supervised')).toMatchObject({ epoch: 1 });
  });

  test('is refused where any byte is missing', async () => {
    await packRun(at('run'), at('archive'));
    const archive = await readFile(at('archive'));
    for (const length of [0, 5, 14, 40, archive.length - 1]) {
      await writeFile(at('cut'), archive.subarray(0, length));
      const target = at(`cut-${length}`);
      await expect(unpackRun(at('cut'), target)).rejects.toEqual(coded('checkpoint-invalid'));
      expect(await readdir(folder)).not.toContain(`cut-${length}`);
    }
  });

  test.each([
    ['outside of the directory', [{ path: '../evil.json', bytes: 0 }]],
    ['of another name', [{ path: 'weights.safetensors', bytes: 0 }]],
    ['by its whole path', [{ path: '/tmp/config.json', bytes: 0 }]],
    ['below another directory', [{ path: 'checkpoints/../../a.json', bytes: 0 }]],
    [
      'twice',
      [
        { path: 'config.json', bytes: 0 },
        { path: 'config.json', bytes: 0 },
      ],
    ],
    ['and not the configuration', [{ path: 'metrics.jsonl', bytes: 0 }]],
    ['with fewer bytes than there are', [{ path: 'config.json', bytes: 1 }]],
    ['and is no list', { path: 'config.json' }],
  ])('is refused where it names a file %s', async (_, list) => {
    await writeFile(at('wrong'), archiveOf(list));
    await expect(unpackRun(at('wrong'), at('nowhere'))).rejects.toEqual(
      coded('checkpoint-invalid'),
    );
    expect(await readdir(folder)).not.toContain('nowhere');
  });
});
