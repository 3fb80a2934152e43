import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { PATHS } from '../../../proto/paths.js';
import type { Servers, ServersOptions } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

let world: World;

beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.remove());

/** Of a model that nobody published. */
async function contribute(servers: Servers): Promise<unknown> {
  const baseUrl = servers.addresses.pool ?? '';
  const institution = new ServiceClient({ baseUrl, token: world.tokens.institution });
  const segment = segmentOf(5, 1);
  await institution.upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], world.keys.institution);
  return institution.json('POST', PATHS.contributions, envelope);
}

test('a pool takes contributions of a model that it does not know, unless it is told not to', async () => {
  const open = await serve(world);
  const given = await contribute(open);
  await open.close();
  const strict = await serve(world, { knownModels: true });
  expect(await contribute(strict)).toEqual(given);
  await strict.close();

  world.remove();
  world = await createWorld();
  const fresh = await serve(world, { knownModels: true });
  await expect(contribute(fresh)).rejects.toMatchObject({
    code: 'contribution-invalid',
    message: expect.stringContaining('knows no model'),
  });
  await fresh.close();
});

async function saidAtStart(options: Partial<ServersOptions>): Promise<string> {
  const lines: string[] = [];
  const to = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(`${chunk}`);
      done();
    },
  });
  const servers = await serve(world, { ...options, logger: pino({}, to) });
  await servers.close();
  return lines.join('');
}

test('a pool whose records name no model says so at its start, where no registry is served with it', async () => {
  expect(await saidAtStart({ registryPort: undefined })).toContain('name no model');
  expect(await saidAtStart({})).not.toContain('name no model');
});
