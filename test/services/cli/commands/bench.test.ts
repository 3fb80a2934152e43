import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { TemporaryFiles } from '../../../models/text/corpus/temporary-files.js';
import { capturedRun } from '../captured-run.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

test('a bench that does not exist is a usage error that lists those that do', async () => {
  const { exit, stderr } = await capturedRun('bench', 'speed');
  expect(exit).toBe(2);
  expect(stderr).toMatch(/there is no bench 'speed'; choose of .*forward.*matmul/);
});

test('measurements are not written over another file', async () => {
  const file = join(files.write({ 'notes.jsonl': 'theirs' }), 'notes.jsonl');
  const { exit, stderr } = await capturedRun('bench', 'text', '--out', file);
  expect([exit, stderr]).toEqual([3, expect.stringMatching(/^tacet: file-exists: /)]);
  expect(readFileSync(file, 'utf8')).toBe('theirs');
});
