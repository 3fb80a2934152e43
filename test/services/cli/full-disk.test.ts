import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Store } from '../../../pool-store/store.js';
import { type Mounted, smallDisk } from '../mounted.js';
import { capturedRun } from './captured-run.js';

const PAGE_BYTES = 4096;

let root: string;
let disk: Mounted | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-full-'));
  disk = smallDisk(join(root, 'disk'), 64 * 1024);
});
afterEach(() => {
  disk?.remove();
  rmSync(root, { recursive: true });
});

/** Leaves room for so many files. */
function fill(directory: string, files: number): void {
  const ballast = join(directory, 'ballast');
  rmSync(ballast, { force: true });
  const { bavail, bsize } = statfsSync(directory);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - files * PAGE_BYTES));
}

test.each([0, 1])(
  'keys for which there is no room, but for %i files, are made once there is',
  async (files) => {
    if (!disk) return;
    const { directory } = disk;
    const keys = ['keys', 'create', join(directory, 'keys')];
    fill(directory, files);
    const refused = await capturedRun('--json', ...keys);
    expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'disk-full', exit: 1 });
    expect(refused.stderr).toContain(join(directory, 'keys'));
    fill(directory, 2);
    expect((await capturedRun(...keys)).exit).toBe(0);
  },
);

test('a token whose new secret has no room keeps the one that it has, and none is made without room', async () => {
  if (!disk) return;
  const out = ['--out', join(disk.directory, 'new.token')];
  const token = (...args: string[]) =>
    capturedRun('--json', 'token', ...args, '--data', join(root, 'data'));
  const made = await token('create', '--role', 'admin', '--name', 'operator');
  const { id, token: secret } = JSON.parse(made.stdout);
  fill(disk.directory, 0);
  for (const asked of [
    ['rotate', id],
    ['create', '--role', 'admin', '--name', 'second'],
  ]) {
    const { stderr } = await token(...asked, ...out);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'disk-full', exit: 1 });
  }
  const store = await Store.open(join(root, 'data'));
  expect(await store.tokens.find(secret)).toMatchObject({ id });
  expect(await store.tokens.list()).toHaveLength(1);
  await store.close();
  fill(disk.directory, 1);
  expect((await token('rotate', id, ...out)).exit).toBe(0);
  expect(readFileSync(join(disk.directory, 'new.token'), 'utf8')).toMatch(/^\S{60}\n$/);
});
