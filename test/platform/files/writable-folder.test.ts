import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { tryFolder, writableFolder } from '../../../platform/files/writable-folder.js';

const root = mkdtempSync(join(tmpdir(), 'tacet-writable-'));
afterAll(() => rmSync(root, { recursive: true }));

test('a folder that is missing would be made in the nearest that is there', async () => {
  expect(await writableFolder(join(root, 'a', 'b'))).toBe(root);
  expect(await writableFolder(root)).toBe(root);
  await tryFolder(root);
  expect(readdirSync(root)).toEqual([]);
});

test('nothing is made below a file', async () => {
  writeFileSync(join(root, 'file'), '');
  for (const path of [join(root, 'file'), join(root, 'file', 'below')])
    await expect(writableFolder(path)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('a file system that takes no folder is found by trying', async () => {
  await expect(tryFolder('/proc')).rejects.toMatchObject({ syscall: 'mkdtemp' });
});
