import { describe, expect, test } from '@jest/globals';
import { TacetError } from '../../../../proto/errors.js';
import { refusalError } from '../../../../services/institution/release/refusals.js';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [
  string,
  string,
  string,
];
const revoked = new TacetError('model-revoked', 'it leaks names');
const failed = new TacetError('server-failed', 'no answer in time');

describe('what was not accepted', () => {
  test('is named by its reason, with what to do', () => {
    const refusals = [first, second].map((segment) => ({
      segment,
      reason: revoked,
      isOpen: false,
    }));
    expect(refusalError(refusals, 'home')).toMatchObject({
      code: 'model-revoked',
      message:
        `2 segments were not accepted and stay in home: ${first}, ${second}: model-revoked: it leaks names. Mend what is ` +
        'said and contribute again, or take out what will never be accepted: tacet home drop home SEGMENT',
    });
  });

  test('is kept apart from what may have been', () => {
    const open = { segment: third, reason: failed, isOpen: true };
    expect(refusalError([open], 'home')).toMatchObject({
      code: 'server-failed',
      message: `whether the pool accepted 1 of the segments is not known: ${third}: server-failed: no answer in time. Contribute again`,
    });
    const refused = { segment: first, reason: revoked, isOpen: false };
    expect(refusalError([refused, open], 'home').message).toMatch(
      /^1 segment was not accepted and stays in home: a+: .* SEGMENT; whether the pool accepted 1 of the segments is/,
    );
  });
});
