import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { capturedRun } from '../captured-run.js';
import { smallCorpus } from '../small-corpus.js';

const DISK_MEGABYTES = 4;

const folder = await smallCorpus('tacet-train-disk-', 12);
const disk = path.join(folder, 'disk');

/** Mounting needs the rights of root, which most test runs do not have. */
const mounted = (() => {
  mkdirSync(disk);
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', disk];
    execFileSync('mount', options, { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('skipped: training on a full disk, for mounting a tmpfs needs root\n');
    return false;
  }
})();
const onSmallDisk = mounted ? describe : describe.skip;

let cache: string | undefined;
beforeAll(() => {
  cache = process.env.TACET_CACHE;
  process.env.TACET_CACHE = path.join(folder, 'cache');
});
afterAll(async () => {
  if (cache === undefined) delete process.env.TACET_CACHE;
  else process.env.TACET_CACHE = cache;
  if (mounted) execFileSync('umount', [disk]);
  await rm(folder, { recursive: true });
});

const at = (name: string) => path.join(folder, name);
const train = (out: string, ...options: readonly string[]) =>
  capturedRun(
    ...['train', 'raw', at('notes'), '--embeddings', at('words.vec'), '--scheme', 'synthetic'],
    ...['--config', at('config.json'), '--out', out, ...options],
  );
const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, disk]);

/** Leaves room for so many bytes. */
async function fill(free: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(path.join(disk, 'filler'), new Uint8Array(Math.max(0, bavail * bsize - free)));
}

onSmallDisk('tacet train on a disk that fills up', () => {
  const out = path.join(disk, 'run');

  test('says so, keeps the last epoch, and goes on to the same weights with room', async () => {
    expect(await train(at('whole'))).toMatchObject({ exit: 0 });
    const { size } = await stat(at('whole/checkpoints/supervised-2.safetensors'));
    await fill(Math.round(1.5 * size));
    expect(await train(out)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/^tacet: disk-full: .*checkpoints.*make room.*--resume/m),
    });
    expect(JSON.parse(await readFile(`${out}/checkpoints/supervised.json`, 'utf8')).epoch).toBe(1);
    expect((await readFile(`${out}/metrics.jsonl`, 'utf8')).trim().split('\n')).toHaveLength(1);

    await rm(path.join(disk, 'filler'));
    expect(await train(out, '--resume')).toMatchObject({ exit: 0 });
    expect(await readFile(`${out}/networks.safetensors`)).toEqual(
      await readFile(at('whole/networks.safetensors')),
    );
    expect((await readFile(`${out}/metrics.jsonl`, 'utf8')).trim().split('\n')).toHaveLength(2);
    await rm(out, { recursive: true });
  });

  test('says so before it has begun', async () => {
    await fill(0);
    const { exit, stderr } = await train(out);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringMatching(/: disk-full: /) });
    await rm(path.join(disk, 'filler'));
  });

  test('calls a read-only file system that, for training and for bundles', async () => {
    await createKeys();
    remount('ro');
    const bundle = ['--manifest', at('whole/manifest.json'), '--key', at('keys/private.pem')];
    const tries = [
      await train(path.join(disk, 'new')),
      await capturedRun(
        ...['bundle', 'create', path.join(disk, 'bundle'), ...bundle],
        ...['--weights', at('whole/weights.safetensors')],
      ),
    ];
    remount('rw');
    for (const { exit, stderr } of tries) {
      expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringMatching(/read-only/) });
      expect(stderr).toMatch(/^tacet: file-unwritable: /m);
    }
  });
});

describe('tacet train where something is in the way', () => {
  test('names a file that stands where a folder would have to be, and a run that is there', async () => {
    expect(await train(at('config.json'))).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(/^tacet: file-exists: .*config\.json: exists already/m),
    });
    expect(await train(at('config.json/run'))).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/^tacet: file-unwritable: .*a file is where a folder/m),
    });
    await train(at('once'));
    expect(await train(at('once'))).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(/^tacet: file-exists: .*already holds a run/m),
    });
  });
});

async function createKeys(): Promise<void> {
  expect(await capturedRun('keys', 'create', at('keys'))).toMatchObject({ exit: 0 });
}
