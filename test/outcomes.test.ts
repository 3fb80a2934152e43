import { expect, test } from '@jest/globals';
import { joined, outcomesOf, summaryOf } from './outcomes.js';

const file = (testFilePath: string, ...tests: readonly [string, string][]) => ({
  testFilePath,
  testResults: tests.map(([fullName, status]) => ({ fullName, status })),
});
const broken = (testFilePath: string) => ({
  ...file(testFilePath),
  testExecError: { message: 'cannot be loaded', stack: '' },
});

test('a run counts what passed, failed and was left out', () => {
  const run = outcomesOf([
    file('a', ['one', 'passed'], ['two', 'failed'], ['three', 'pending'], ['four', 'todo']),
    file('b', ['one', 'passed']),
  ]);
  expect(summaryOf(run)).toBe('2 passed, 1 failed, 2 skipped');
});

test('tests of one title in one file all count', () => {
  expect(summaryOf(outcomesOf([file('a', ['one', 'passed'], ['one', 'passed'])]))).toBe(
    '2 passed, 0 failed, 0 skipped',
  );
});

test('a file that cannot be loaded counts as failed', () => {
  expect(summaryOf(outcomesOf([broken('a')]))).toBe('0 passed, 1 failed, 0 skipped');
});

test('a test that ran here and on another server counts for each', () => {
  const here = outcomesOf([
    file('a', ['of both', 'passed'], ['of the server', 'pending'], ['of files', 'passed']),
  ]);
  const there = outcomesOf([
    file('a', ['of both', 'failed'], ['of the server', 'passed'], ['of files', 'pending']),
  ]);
  expect(summaryOf(joined(here, there, 'PostgreSQL'))).toBe('3 passed, 1 failed, 0 skipped');
});

test('over two runs a test counts once: as failed if it ever failed, as skipped if it never ran', () => {
  const first = outcomesOf([
    file('a', ['ran twice', 'passed'], ['needs data', 'pending'], ['failed before', 'failed']),
    file('b', ['elsewhere', 'passed'], ['never', 'pending']),
    broken('c'),
  ]);
  const second = outcomesOf([
    file('a', ['ran twice', 'passed'], ['needs data', 'passed'], ['failed before', 'passed']),
    file('b', ['elsewhere', 'failed'], ['never', 'pending'], ['of the data alone', 'passed']),
  ]);
  expect(summaryOf(joined(first, second))).toBe('3 passed, 3 failed, 1 skipped');
});
