import { expect, test } from '@jest/globals';
import { LeastBusy } from '../../bench/least-busy.js';

const failing = () => Promise.reject(new Error('away'));

test('each operation goes where the fewest are under way', async () => {
  const balancer = new LeastBusy(['a', 'b', 'c']);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const begin = () =>
    balancer.use((server) => {
      begun.push(server);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const under = [begin(), begin(), begin(), begin()];
  expect(begun).toEqual(['a', 'b', 'c', 'a']);
  ends[1]?.();
  await under[1];
  under.push(begin());
  expect(begun.at(-1)).toBe('b');
  for (const end of ends) end();
  await Promise.all(under);
});

test('none goes to one that failed just before, unless all did', async () => {
  const balancer = new LeastBusy(['a', 'b']);
  await expect(balancer.use(failing)).rejects.toThrow('away');
  const used: string[] = [];
  for (let i = 0; i < 3; i++) await balancer.use(async (server) => used.push(server));
  expect(used).toEqual(['b', 'b', 'b']);
  await expect(balancer.use(failing)).rejects.toThrow('away');
  expect(await balancer.use(async (server) => server)).toBe('a');
});
