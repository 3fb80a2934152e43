import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import type { Envelope } from '../../../proto/dsse.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import type { FetchedSnapshot } from '../../../services/client/fetched-snapshot.js';
import { SnapshotSource } from '../../../services/client/snapshot-source.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

const INVENTORY = 'e'.repeat(64);
const coded = (code: string) => expect.objectContaining({ code });

describe('what became of labelled entities', () => {
  let world: World;
  let servers: Servers;
  const as = (role: 'institution' | 'consumer') =>
    new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token: world.tokens[role] });
  const begin = async (replacedBut?: readonly string[]) => {
    world = await createWorld();
    servers = await serve(world, { replacedBut });
  };
  const end = async () => {
    await servers.close();
    world.remove();
  };
  const contribute = async (
    seed: number,
    entities: 'replaced' | 'kept',
    inventory?: string,
    copies?: number,
    { stated, held = stated }: { stated?: readonly string[]; held?: readonly string[] } = {},
  ): Promise<Contribution> => {
    const segment = segmentOf(5, seed, { entities, keptTypes: held });
    await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
    const limited = stated ? { keptTypes: stated, limit: 0.7 } : {};
    const changes = { inventory, copies, ...limited };
    const envelope = contributionOf([segment], world.keys.institution, changes);
    return as('institution').json('POST', '/v1/contributions', envelope);
  };

  describe('in a pool', () => {
    beforeAll(() => begin());
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

    test('is stated with how often each note left, which older contributions do not say', async () => {
      const [many, once] = [
        await contribute(7, 'replaced', INVENTORY, 3),
        await contribute(8, 'kept'),
      ];
      expect([many, once]).toMatchObject([{ copies: 3 }, { copies: 1 }]);
      const payload = async ({ id }: Contribution) => {
        const { envelope } = await as('institution').json<{ envelope: Envelope }>(
          'GET',
          `/v1/contributions/${id}`,
        );
        return JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
      };
      expect(await payload(many)).toMatchObject({ copies: 3 });
      expect(await payload(once)).not.toHaveProperty('copies');
      await expect(contribute(9, 'kept', undefined, 2)).rejects.toMatchObject({
        code: 'contribution-invalid',
      });
    });

    test('leaves a snapshot whose parts by copies are read together or alone', async () => {
      const filter = { entities: 'replaced' };
      const snapshot = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', filter);
      expect(snapshot.parts).toMatchObject([
        { copies: 1, sentenceCount: 5 },
        { copies: 3, sentenceCount: 5 },
      ]);
      const path = `/v1/snapshots/${snapshot.id}`;
      const { provenance } = await as('consumer').json<FetchedSnapshot>('GET', path);
      expect(provenance.map(({ copies }) => copies).sort()).toEqual([1, 3]);
      const countOf = async (copies?: number) =>
        (await as('consumer').sentences(snapshot.id, { seed: 1, copies })).header.sentenceCount;
      expect([await countOf(), await countOf(1), await countOf(3)]).toEqual([10, 5, 5]);
      await expect(countOf(2)).rejects.toEqual(coded('not-found'));
    });

    test('is read for training with a copy of a sentence that holds an entity counting its share', async () => {
      const filter = { entities: 'replaced' };
      const { id } = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', filter);
      const ofCopies = async (copies: number) => {
        const { sentences } = await as('consumer').sentences(id, { seed: 1, copies });
        const all: string[] = [];
        for await (const { labels } of sentences()) {
          const isCopied = copies > 1 && labels.some((label) => label !== 0);
          all.push(`${labels} ${isCopied ? 1 / copies : 1}`);
        }
        return all;
      };
      const source = await SnapshotSource.open(as('consumer'), id, 1, {});
      const read: string[] = [];
      for await (const { labels, weight = 1 } of source.read(1)) read.push(`${labels} ${weight}`);
      expect(read.sort()).toEqual([...(await ofCopies(1)), ...(await ofCopies(3))].sort());
      expect(read.some((each) => each.endsWith(` ${1 / 3}`))).toBe(true);
    });

    test('is stated with the types that were kept, by contributions, snapshots and their sentences', async () => {
      const org = await contribute(11, 'replaced', INVENTORY, undefined, { stated: ['ORG'] });
      const both = await contribute(12, 'replaced', INVENTORY, undefined, {
        stated: ['ORG', 'QUANTITY'],
      });
      expect([org.keptTypes, both.keptTypes]).toEqual([['ORG'], ['ORG', 'QUANTITY']]);
      const path = `/v1/contributions/${both.id}`;
      expect(await as('institution').json('GET', path)).toMatchObject({
        segments: [{ keptTypes: ['ORG', 'QUANTITY'] }],
      });
      const freeze = (filter: object) =>
        as('consumer').json<Snapshot>('POST', '/v1/snapshots', { entities: 'replaced', ...filter });
      const all = await freeze({});
      expect(all).toMatchObject({
        keptTypes: ['ORG', 'QUANTITY'],
        parts: [
          { copies: 1, keptTypes: ['ORG', 'QUANTITY'] },
          { copies: 3, keptTypes: [] },
        ],
      });
      expect(await freeze({ keptTypes: ['ORG'] })).toMatchObject({ keptTypes: ['ORG'] });
      expect(await freeze({ keptTypes: [] })).toMatchObject({ keptTypes: [] });
      // Contributions whose entities were all kept name no types, and are none of those.
      expect(await freeze({ entities: undefined, keptTypes: [] })).toMatchObject({
        ...{ entities: 'replaced', keptTypes: [] },
      });
      const { provenance } = await as('consumer').json<FetchedSnapshot>(
        'GET',
        `/v1/snapshots/${all.id}`,
      );
      expect(provenance.find(({ contribution }) => contribution === org.id)?.keptTypes).toEqual([
        'ORG',
      ]);
      const { header } = await as('consumer').sentences(all.id, { seed: 1 });
      expect(header.keptTypes).toEqual(['ORG', 'QUANTITY']);
      const source = await SnapshotSource.open(as('consumer'), all.id, 1, {});
      let read = 0;
      for await (const _ of source.read(1)) read++;
      expect(read).toBe(all.sentenceCount);
    });

    test('is refused where a contribution names other kept types than its segments, or no limit', async () => {
      for (const [i, held] of [[], ['QUANTITY']].entries())
        await expect(
          contribute(13 + i, 'replaced', INVENTORY, undefined, { stated: ['ORG'], held }),
        ).rejects.toEqual(coded('contribution-invalid'));
      const unlimited = { held: ['ORG'] };
      await expect(contribute(15, 'replaced', INVENTORY, undefined, unlimited)).rejects.toEqual(
        coded('contribution-invalid'),
      );
      await expect(contribute(16, 'kept', undefined, 1, { stated: ['ORG'] })).rejects.toThrow();
      await expect(
        contribute(17, 'replaced', INVENTORY, 2, { stated: ['ORG'] }),
      ).rejects.toMatchObject({ code: 'contribution-invalid' });
    });

    test('is refused where a contribution says otherwise than its segments', async () => {
      await expect(contribute(3, 'replaced')).rejects.toEqual(coded('contribution-invalid'));
      await expect(contribute(4, 'kept', INVENTORY)).rejects.toEqual(coded('contribution-invalid'));
    });
  });

  describe('in a pool that wants them replaced', () => {
    beforeAll(() => begin(['ORG']));
    afterAll(end);

    test('is refused where those of other types than the pool allows were kept', async () => {
      const org = { stated: ['ORG'] };
      expect(await contribute(18, 'replaced', INVENTORY, 1, org)).toMatchObject({
        keptTypes: ['ORG'],
      });
      const more = { stated: ['ORG', 'QUANTITY'] };
      await expect(contribute(19, 'replaced', INVENTORY, 1, more)).rejects.toMatchObject({
        code: 'contribution-invalid',
        message: expect.stringContaining('QUANTITY were encoded as they are'),
      });
    });

    test('is refused where they were kept', async () => {
      await expect(contribute(5, 'kept')).rejects.toEqual(coded('contribution-invalid'));
      expect(await contribute(6, 'replaced', INVENTORY)).toMatchObject({ entities: 'replaced' });
    });
  });
});
