import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Contribution } from '../../../pool-store/contributions.js';
import type { Snapshot } from '../../../pool-store/snapshots.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

const INVENTORY = 'e'.repeat(64);
const coded = (code: string) => expect.objectContaining({ code });

describe('what became of labelled entities', () => {
  let world: World;
  let servers: Servers;
  const as = (role: 'institution' | 'consumer') =>
    new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token: world.tokens[role] });
  const begin = async (replacedOnly: boolean) => {
    world = createWorld();
    servers = await serve(world, { replacedOnly });
  };
  const end = async () => {
    await servers.close();
    world.remove();
  };
  const contribute = async (
    seed: number,
    entities: 'replaced' | 'kept',
    inventory?: string,
  ): Promise<Contribution> => {
    const segment = segmentOf(5, seed, { entities });
    await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
    const envelope = contributionOf([segment], world.keys.institution, { inventory });
    return as('institution').json('POST', '/v1/contributions', envelope);
  };

  describe('in a pool', () => {
    beforeAll(() => begin(false));
    afterAll(end);

    test('is stated by contributions and snapshots, which never mix both', async () => {
      expect(await contribute(1, 'kept')).toMatchObject({ entities: 'kept', inventory: null });
      expect(await contribute(2, 'replaced', INVENTORY)).toMatchObject({
        entities: 'replaced',
        inventory: INVENTORY,
      });
      const snapshot = (filter: object) =>
        as('consumer').json<Snapshot>('POST', '/v1/snapshots', filter);
      await expect(snapshot({})).rejects.toEqual(coded('conflict'));
      for (const entities of ['kept', 'replaced'] as const)
        expect(await snapshot({ entities })).toMatchObject({ entities, sentenceCount: 5 });
    });

    test('is refused where a contribution says otherwise than its segments', async () => {
      await expect(contribute(3, 'replaced')).rejects.toEqual(coded('contribution-invalid'));
      await expect(contribute(4, 'kept', INVENTORY)).rejects.toEqual(coded('contribution-invalid'));
    });
  });

  describe('in a pool that wants them replaced', () => {
    beforeAll(() => begin(true));
    afterAll(end);

    test('is refused where they were kept', async () => {
      await expect(contribute(5, 'kept')).rejects.toEqual(coded('contribution-invalid'));
      expect(await contribute(6, 'replaced', INVENTORY)).toMatchObject({ entities: 'replaced' });
    });
  });
});
