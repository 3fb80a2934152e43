import { describe, expect, test } from '@jest/globals';
import { TacetError } from '../../../../../proto/errors.js';
import {
  Checklist,
  requireFound,
} from '../../../../../services/institution/approval/preflight/checklist.js';

const ADVICE = { 'store-full': 'free some space', otherwise: 'ask' };

describe('a checklist', () => {
  test('goes on after a failure, and says what to do by what went wrong', async () => {
    const list = new Checklist();
    const fail = (code: 'store-full' | 'conflict') => async () => {
      throw new TacetError(code, 'no');
    };
    expect(await list.check('disk', ADVICE, fail('store-full'))).toBeUndefined();
    await list.checkAlone('home', ADVICE, fail('conflict'));
    await list.checkAlone('clock', ADVICE, async () => 'agrees');
    expect(list.hasFailed).toBe(true);
    expect(list.checks).toEqual([
      { name: 'disk', passed: false, finding: 'store-full: no', advice: 'free some space' },
      { name: 'home', passed: false, finding: 'conflict: no', advice: 'ask' },
      { name: 'clock', passed: true, finding: 'agrees', advice: '' },
    ]);
  });

  test('does not look where an earlier check found nothing, which is no failure', async () => {
    const list = new Checklist();
    await list.checkAlone('clock', ADVICE, async () =>
      requireFound<string>(undefined, 'no answer'),
    );
    list.leaveOut('role');
    expect(list.hasFailed).toBe(false);
    expect(list.checks.map(({ passed, finding }) => [passed, finding])).toEqual([
      [null, 'not looked at: no answer'],
      [null, 'not asked for'],
    ]);
  });

  test('is ended by a fault of the program and by an interruption', async () => {
    const list = new Checklist();
    const fault = async () => {
      throw new RangeError('a fault');
    };
    await expect(list.checkAlone('disk', ADVICE, fault)).rejects.toThrow('a fault');
    const stopped = new Checklist(AbortSignal.abort(new TacetError('interrupted', 'stopped')));
    await expect(stopped.checkAlone('disk', ADVICE, async () => '')).rejects.toThrow('stopped');
  });
});
