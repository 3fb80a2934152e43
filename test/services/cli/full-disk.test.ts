import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
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
