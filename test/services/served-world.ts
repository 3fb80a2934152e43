import { afterAll, beforeAll } from '@jest/globals';
import type { Role } from '../../pool-store/members/tokens.js';
import type { Servers, ServersOptions } from '../../services/cli/servers.js';
import { ServiceClient } from '../../services/client/client.js';
import { createWorld, serve, type World } from './world.js';

/** A world and its servers for all tests of a file; there from the first `beforeAll` that comes behind. */
export interface ServedWorld {
  readonly world: World;
  readonly servers: Servers;
  /** Where the pool is. */
  readonly pool: string;
  /** A client of the pool with the token of a role. */
  as(role: Role): ServiceClient;
}

export function servedWorld(options: Partial<ServersOptions> = {}): ServedWorld {
  let world: World;
  let servers: Servers;
  beforeAll(async () => {
    world = await createWorld();
    servers = await serve(world, options);
  });
  afterAll(async () => {
    await servers.close();
    world.remove();
  });
  return {
    get world() {
      return world;
    },
    get servers() {
      return servers;
    },
    get pool() {
      return servers.addresses.pool ?? '';
    },
    as: (role) =>
      new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token: world.tokens[role] }),
  };
}
