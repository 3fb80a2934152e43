import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { createWorld, serve, sha256, type World } from '../world.js';

let world: World;
let servers: Servers;
beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

const clientOf = (service: 'registry' | 'pool', role: keyof World['tokens']) =>
  new ServiceClient({ baseUrl: servers.addresses[service] ?? '', token: world.tokens[role] });
const isNo = (service: string, meant: string) =>
  expect.objectContaining({
    code: 'route-unknown',
    message: `the server at this address is the ${service} and no ${meant}; give the address of the ${meant}`,
  });

describe('a server that was taken for another', () => {
  test('says which it is', async () => {
    const registry = clientOf('registry', 'consumer');
    await expect(registry.list('/v1/snapshots')).rejects.toEqual(isNo('registry', 'pool'));
    const pool = clientOf('pool', 'consumer');
    await expect(pool.json('GET', '/v1/models')).rejects.toEqual(isNo('pool', 'registry'));
    await expect(pool.json('GET', '/v1/no-such')).rejects.toMatchObject({
      ...{ code: 'route-unknown', status: 404, message: expect.stringContaining('/openapi.json') },
    });
  });

  test('says so of uploads, too, which both take from holders of other tokens', async () => {
    const bytes = Buffer.from('anything');
    const digest = sha256(bytes);
    const file = { digest, kind: 'bundle-file' } as const;
    const published = clientOf('pool', 'provider').upload(bytes, file);
    await expect(published).rejects.toEqual(isNo('pool', 'registry'));
    const segment = { digest, kind: 'segment' } as const;
    const contributed = clientOf('registry', 'institution').upload(bytes, segment);
    await expect(contributed).rejects.toEqual(isNo('registry', 'pool'));
    await expect(clientOf('registry', 'institution').upload(bytes, file)).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
