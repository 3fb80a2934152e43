import { expect, test } from '@jest/globals';
import { Turns } from '../../../pool-store/catalog/turns.js';

test('turns at one thing come one after the other, also after one that failed', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const turn = (name: string) => async () => {
    done.push(`${name} begins`);
    await new Promise(setImmediate);
    done.push(`${name} ends`);
  };
  const failing = async () => {
    throw new Error('no');
  };
  const first = turns.take('it', turn('first'));
  const failed = expect(turns.take('it', failing)).rejects.toThrow('no');
  await Promise.all([first, failed, turns.take('it', turn('second'))]);
  expect(done).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});
