import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Store } from '../../../pool-store/store.js';
import { segmentOf } from '../../services/world.js';
import { type CutConnection, cutConnection } from '../cut-connection.js';
import { catalogFor, describeOnPostgres } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

const coded = (code: string) => expect.objectContaining({ code });

describeOnPostgres('a connection that is lost', () => {
  let directory: string;
  let way: CutConnection;
  let store: Store;
  let north: Giver;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tacet-lost-'));
    const place = await catalogFor(directory);
    const url = new URL(place?.url ?? '');
    way = await cutConnection({ host: url.hostname, port: Number(url.port) });
    url.port = `${way.port}`;
    store = await Store.open(directory, { catalog: { url: url.href, timeoutMs: 5000 } });
    north = await Giver.of(store);
  });
  afterEach(async () => {
    await store.close();
    way.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test.each([
    ['after it was done', true],
    ['before it was done', false],
  ])(
    'in the middle of a commit, %s, is told, and repeating gives one contribution',
    async (_, arrives) => {
      const bytes = segmentOf(10, 1);
      await north.upload(bytes);
      const signed = north.contributionOf(bytes);
      way.cutAtCommit(arrives);
      await expect(north.accept(signed)).rejects.toEqual(coded('outcome-unknown'));
      expect(await store.contributions.list()).toHaveLength(arrives ? 1 : 0);
      const { id } = await north.accept(signed);
      expect((await store.contributions.list()).map((one) => one.id)).toEqual([id]);
      const accepted = (await store.log.entries()).filter(
        ({ action }) => action === 'contribution-accepted',
      );
      expect(accepted).toHaveLength(1);
      expect(await store.log.firstBroken()).toBeUndefined();
    },
  );

  test('for good is named, and tells no password', async () => {
    way.close();
    const failed = await store.tokens
      .create({ role: 'admin', name: 'late' })
      .catch((error) => error);
    expect(failed).toEqual(coded('catalog-unreachable'));
    expect(failed.message).not.toMatch(/postgres:|@/);
  });
});
