import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { spawnServe } from './serve-process.js';
import { createWorld, serve } from './world.js';

/** Fails before it ends what it started; run by a test of its own. */
test('fails with a server here and a server in another process', async () => {
  const { addresses: here } = await serve(await createWorld());
  const { addresses: there } = await spawnServe((await createWorld()).data);
  writeFileSync(process.env.ADDRESSES ?? '', JSON.stringify([here.pool, there.pool]));
  expect('ended').toBe('not yet');
});
