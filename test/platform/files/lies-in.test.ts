import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { liesIn } from '../../../platform/files/lies-in.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-lies-in-'));
  mkdirSync(join(root, 'folder', 'inner'), { recursive: true });
  symlinkSync(join(root, 'folder'), join(root, 'link'));
});
afterAll(() => rmSync(root, { recursive: true }));

test.each([
  ['folder', 'folder', true],
  ['folder', 'folder/inner', true],
  ['folder', 'folder/not/there', true],
  ['folder', 'link/not/there', true],
  ['link', 'folder/inner', true],
  ['folder', 'missing/../folder', true],
  ['folder', '.', false],
  ['folder', 'folder-beside', false],
  ['folder/inner', 'folder', false],
  ['folder', 'folder/../..elsewhere', false],
  ['.', '..hidden', true],
])('in %s lies %s: %s', (folder, path, lies) => {
  expect(liesIn(`${root}/${folder}`, `${root}/${path}`)).toBe(lies);
});
