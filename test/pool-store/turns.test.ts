import { expect, test } from '@jest/globals';
import { Turns } from '../../pool-store/turns.js';

test('turns at one thing come one after the other, and know whether another waits', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const turn = (name: string) => async () => {
    const isWaitedFor = turns.isWaitedFor('it');
    await new Promise(setImmediate);
    done.push(`${name}, ${isWaitedFor ? 'another waits' : 'the last'}`);
  };
  const failing = async () => {
    throw new Error('no');
  };
  const first = turns.take('it', turn('first'));
  const failed = expect(turns.take('it', failing)).rejects.toThrow('no');
  await Promise.all([first, failed, turns.take('it', turn('second'))]);
  expect(done).toEqual(['first, another waits', 'second, the last']);
  expect(turns.isWaitedFor('it')).toBe(false);
});
