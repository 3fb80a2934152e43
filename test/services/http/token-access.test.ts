import { expect, test } from '@jest/globals';
import { NO_CONTENT } from '../../../services/http/answer.js';
import { route } from '../../../services/http/route.js';
import { TokenAccess } from '../../../services/http/token-access.js';
import { openStore } from '../../pool-store/opened-store.js';
import { createWorld } from '../world.js';

test('a route of a store that names no roles is refused before anyone can call it', async () => {
  const world = await createWorld();
  const store = await openStore(world.data);
  const open = route({
    method: 'get',
    path: '/v1/open',
    summary: '',
    answer: NO_CONTENT,
    handle: () => ({}),
  });
  const access = new TokenAccess(store.tokens, 60);
  expect(() => access.guard(open)).toThrow(expect.objectContaining({ code: 'internal' }));
  await store.close();
  world.remove();
});
