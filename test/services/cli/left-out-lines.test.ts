import { expect, test } from '@jest/globals';
import { leftOutLines } from '../../../services/cli/left-out-lines.js';

const NONE = { rest: 0, entities: null, redrawn: 0, portions: 1 };

test.each([true, false])('a job of new notes leaves nothing to say: dry run %s', (dryRun) => {
  expect(leftOutLines(NONE, dryRun)).toEqual([]);
});

test('sentences of notes that left, or stand in the job, otherwise are counted apart', () => {
  expect(leftOutLines({ ...NONE, redrawn: 4 }, false).join(' ')).toMatch(
    /4 sentences are of notes that left, or stand in this job, with other surrogates or in another number of copies; .*those that left stays$/,
  );
});

test('a dry run in several portions says that less may leave', () => {
  const several = { ...NONE, portions: 4 };
  expect(leftOutLines(several, true).join()).toMatch(/read in 4, .*less may leave/);
  expect(leftOutLines(several, false)).toEqual([]);
});
