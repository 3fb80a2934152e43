import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { changeRows } from '../../pool-store/changed-rows.js';
import { RawUpload } from '../raw-upload.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

let world: World;
let servers: Servers;
let north: Institution;
let south: Institution;
const coded = (code: string) => expect.objectContaining({ code });

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  [north, south] = [await Institution.named('north'), await Institution.named('south')];
});
afterAll(async () => {
  await servers?.close();
  world.remove();
});

/** What an institution does, over HTTP. */
class Institution {
  readonly #client: ServiceClient;

  private constructor(
    readonly name: string,
    readonly key: KeyObject,
    readonly token: string,
  ) {
    this.#client = new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token });
  }

  /** One whose key is approved. */
  static async named(name: string): Promise<Institution> {
    const { identities, tokens } = servers.store;
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { keyId } = await identities.request(name, rawPublicKey(publicKey));
    await identities.approve(keyId);
    const { token } = await tokens.create({ role: 'institution', name });
    return new Institution(name, privateKey, token);
  }

  /** Sends every byte, also of a blob that the pool has: possession is proved. */
  async upload(segment: Uint8Array): Promise<void> {
    const url = servers.addresses.pool ?? '';
    const upload = await RawUpload.begin(url, this.token, segment);
    await upload.send(url, 0, segment.length);
  }

  contribute(...segments: Uint8Array[]): Promise<Contribution> {
    const { name: institution } = this;
    const envelope = contributionOf(segments, this.key, { institution });
    return this.#client.json('POST', '/v1/contributions', envelope);
  }

  withdraw({ id }: Contribution): Promise<Contribution> {
    return this.#client.json('DELETE', `/v1/contributions/${id}`);
  }
}

const isThere = async (segment: Uint8Array) =>
  (await servers.store.blobs.size(sha256(segment))) === segment.length;

describe('a segment', () => {
  test('is not given by who only knows its digest', async () => {
    const segment = segmentOf(5, 1);
    await north.upload(segment);
    await expect(south.contribute(segment)).rejects.toEqual(coded('contribution-invalid'));
    const { institution } = await north.contribute(segment);
    expect(institution).toBe('north');
  });

  test('of others is answered as one that does not exist', async () => {
    const [held, given, withdrawn, unknown] = [2, 3, 4, 5].map((seed) => segmentOf(5, seed));
    for (const segment of [held, given, withdrawn]) await north.upload(segment);
    await north.contribute(given);
    await north.withdraw(await north.contribute(withdrawn));
    const answers = await Promise.all(
      [held, given, withdrawn, unknown].map((segment) =>
        south.contribute(segment).then(
          () => 'accepted',
          (error) => `${error.code} ${error.message.replace(sha256(segment), 'DIGEST')}`,
        ),
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^contribution-invalid /);
  });

  test('is not given by another together with segments of its own', async () => {
    const [own, others] = [segmentOf(5, 6), segmentOf(5, 7)];
    await north.upload(others);
    await south.upload(own);
    await expect(south.contribute(own, others)).rejects.toEqual(coded('contribution-invalid'));
    await north.contribute(others);
    await south.contribute(own);
  });

  test('that two uploaded is given by the first, whoever asks first', async () => {
    const segment = segmentOf(5, 8);
    await north.upload(segment);
    await south.upload(segment);
    await expect(south.contribute(segment)).rejects.toEqual(coded('contribution-invalid'));
    await north.contribute(segment);
    await expect(south.contribute(segment)).rejects.toEqual(coded('contribution-invalid'));
  });

  test('that two upload at once is given by one of them', async () => {
    const segment = segmentOf(5, 9);
    await Promise.all([north.upload(segment), south.upload(segment)]);
    const given = await Promise.allSettled([north.contribute(segment), south.contribute(segment)]);
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await isThere(segment)).toBe(true);
  });

  test('that its owner withdrew is gone for all who uploaded it, and stays gone', async () => {
    const segment = segmentOf(5, 10);
    await north.upload(segment);
    await south.upload(segment);
    await north.withdraw(await north.contribute(segment));
    expect(await isThere(segment)).toBe(false);
    await expect(south.contribute(segment)).rejects.toEqual(coded('contribution-invalid'));
    await expect(north.contribute(segment)).rejects.toEqual(coded('withdrawn'));
    for (const institution of [north, south]) {
      await expect(institution.upload(segment)).rejects.toThrow(/answered 410.*withdrawn/);
    }
    expect(await isThere(segment)).toBe(false);
  });

  test('is not withdrawn by another who uploaded it too', async () => {
    const segment = segmentOf(5, 11);
    await north.upload(segment);
    const contribution = await north.contribute(segment);
    await south.upload(segment);
    await expect(south.withdraw(contribution)).rejects.toEqual(coded('not-found'));
    expect(await isThere(segment)).toBe(true);
  });

  test('that nobody gave is free again for who uploads it once it was dropped', async () => {
    const segment = segmentOf(5, 12);
    await north.upload(segment);
    await servers.store.collectUnused(new Date(Date.now() + 1000));
    await expect(north.contribute(segment)).rejects.toEqual(coded('contribution-invalid'));
    await south.upload(segment);
    expect((await south.contribute(segment)).institution).toBe('south');
  });

  test('from before names were kept belongs to who uploads it again', async () => {
    const segment = segmentOf(5, 13);
    await south.upload(segment);
    const { catalog } = servers.store;
    await changeRows(catalog, sql`UPDATE blobs SET owner = NULL WHERE digest = ${sha256(segment)}`);
    await expect(north.contribute(segment)).rejects.toEqual(coded('contribution-invalid'));
    await north.upload(segment);
    expect((await north.contribute(segment)).institution).toBe('north');
  });
});
