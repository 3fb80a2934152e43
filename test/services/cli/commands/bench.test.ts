import { expect, test } from '@jest/globals';
import { capturedRun } from '../captured-run.js';

test('a bench that does not exist is a usage error that lists those that do', async () => {
  const { exit, stderr } = await capturedRun('bench', 'speed');
  expect(exit).toBe(2);
  expect(stderr).toMatch(/there is no bench 'speed'; choose of .*forward.*matmul/);
});
