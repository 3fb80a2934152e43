import { expect, test } from '@jest/globals';
import { servedWorld } from '../served-world.js';

const site = servedWorld();

test.each([
  ['/livez', 200],
  ['/livez/', 404],
  ['/LIVEZ', 404],
  ['/metrics', 200],
  ['/metrics/', 404],
  ['/Metrics', 404],
])('a path is what it is called, and nothing like it: %s', async (path, status) => {
  const headers = { Authorization: `Bearer ${site.world.tokens.monitor}` };
  expect((await fetch(`${site.pool}${path}`, { headers })).status).toBe(status);
});
