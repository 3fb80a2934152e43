import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { change, planOf, RunningCoordinator } from './running-coordinator.js';

let running: RunningCoordinator;
beforeEach(async () => {
  running = await RunningCoordinator.prepare();
});
afterEach(() => running.remove());

describe('the average over rounds', () => {
  const send = (name: string, round: number, value: number) =>
    running.as(name).upload(change(value, 0, 0, 0), round, 1);

  test('is what workers find when all rounds are over, and not before, also after restarts', async () => {
    await running.begin({ averaging: 0.5, epochs: 3, workers: ['north'] });
    for (const [i, value] of [4, 4, 4].entries()) {
      expect(await running.weights()).toEqual([4 * i, 0, 1, 1]);
      await send('north', i + 1, value);
      await running.stop();
      await running.start();
    }
    // After the second round the mean of 4 and 8, of which the third leaves a half.
    expect(await running.as('north').task()).toEqual({ task: 'over', epoch: 3 });
    expect(await running.weights()).toEqual([9, 0, 1, 1]);
  });

  test('of a round robin is of what all had their turns at', async () => {
    await running.begin({ procedure: 'round-robin', averaging: 0.5 });
    for (const [i, name] of ['north', 'south', 'north', 'south'].entries())
      await send(name, i + 1, 1);
    expect(await running.weights()).toEqual([3, 0, 1, 1]);
  });

  test('is none where the plan names none, and none of selective SGD', async () => {
    await running.begin({ workers: ['north'] });
    for (const round of [1, 2]) await send('north', round, 1);
    expect(await running.weights()).toEqual([2, 0, 1, 1]);
    expect(() => planOf({ procedure: 'selective', averaging: 0.5 })).toThrow(
      expect.objectContaining({ code: 'config-invalid' }),
    );
  });
});
