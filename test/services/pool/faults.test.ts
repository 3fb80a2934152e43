import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { verifyStore } from '../../../pool-store/verify.js';
import { ServiceClient } from '../../../services/client/client.js';
import { changeRows } from '../../pool-store/changed-rows.js';
import { openStore, SERVER } from '../../pool-store/opened-store.js';
import { TEST_BUCKET } from '../../pool-store/test-place.js';
import { type ServeProcess, spawnServe } from '../serve-process.js';
import { contributionOf, createWorld, segmentOf, sha256, type World } from '../world.js';

let world: World;
let server: ServeProcess;

beforeEach(async () => {
  world = await createWorld();
  server = await spawnServe(world.data);
});
afterEach(async () => {
  await server.kill();
  world.remove();
});

const client = () =>
  new ServiceClient({ baseUrl: server.addresses.pool, token: world.tokens.institution });
const portOf = () => Number(new URL(server.addresses.pool).port);
const targetOf = (segment: Uint8Array) => ({ digest: sha256(segment), kind: 'segment' }) as const;

async function restart(): Promise<void> {
  const port = portOf();
  await server.kill();
  server = await spawnServe(world.data, { port });
}

async function contribute(segment: Uint8Array): Promise<string> {
  await client().upload(segment, targetOf(segment));
  const envelope = contributionOf([segment], world.keys.institution);
  const { id } = await client().json<{ id: string }>('POST', '/v1/contributions', envelope);
  return id;
}

async function verified() {
  const store = await openStore(world.data);
  try {
    return await verifyStore(store);
  } finally {
    await store.close();
  }
}

const isShared = TEST_BUCKET !== undefined && SERVER !== undefined;
/** Uploads are files where blobs are. */
const fileTest = TEST_BUCKET === undefined ? test : test.skip;

describe('a pool that is killed', () => {
  test('still has every contribution that it acknowledged', async () => {
    const ids: string[] = [];
    for (const seed of [1, 2, 3]) {
      ids.push(await contribute(segmentOf(50, seed)));
      await restart();
    }
    const kept = await client().json<{ id: string }[]>('GET', '/v1/contributions');
    expect(kept.map(({ id }) => id)).toEqual(ids);
    expect(await verified()).toEqual(
      expect.objectContaining({ blobs: 3, damaged: [], missing: [], logBrokenAt: null }),
    );
  });

  test('during an upload lets the client resume it', async () => {
    const segment = segmentOf(30_000, 4);
    let restarted: Promise<void> | undefined;
    const offsets: number[] = [];
    await client().upload(segment, targetOf(segment), {
      progress: ({ done }) => {
        offsets.push(done);
        if (done > 0) restarted ??= restart();
      },
    });
    await restarted;
    expect(restarted).toBeDefined();
    const id = await client().json<{ id: string }>(
      'POST',
      '/v1/contributions',
      contributionOf([segment], world.keys.institution),
    );
    expect(id).toEqual(expect.objectContaining({ sentences: 30_000 }));
  });

  test('keeps the bytes of an upload that another process of the client goes on with', async () => {
    const segment = segmentOf(2000, 5);
    const resumeFile = join(world.data, 'resume.json');
    const path = await partOf(segment, resumeFile);
    await restart();
    const asked = await fetch(server.addresses.pool + path, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${world.tokens.institution}`, 'Tus-Resumable': '1.0.0' },
    });
    expect(asked.headers.get('upload-offset')).toBe('1000');
    const sent: number[] = [];
    await client().upload(segment, targetOf(segment), {
      resumeFile,
      progress: ({ done }) => void sent.push(done),
    });
    expect(Math.min(...sent)).toBe(1000);
    expect(await client().has(sha256(segment))).toBe(true);
  });

  fileTest('between the last byte and the blob finishes the upload at its start', async () => {
    const segment = segmentOf(100, 6);
    await partOf(segment, join(world.data, 'resume.json'));
    const port = portOf();
    await server.kill();
    const uploads = join(world.data, 'uploads');
    const [name] = readdirSync(uploads).filter((file) => !file.endsWith('.json'));
    writeFileSync(join(uploads, name), segment);
    server = await spawnServe(world.data, { port });
    expect(await client().has(sha256(segment))).toBe(true);
    expect(readdirSync(uploads)).toEqual([]);
  });

  test('after a withdrawal was committed erases what is left of it', async () => {
    const segment = segmentOf(50, 7);
    const id = await contribute(segment);
    const port = portOf();
    await server.kill();
    const store = await openStore(world.data);
    const time = new Date().toISOString();
    const { catalog } = store;
    await changeRows(catalog, sql`UPDATE contributions SET withdrawn = ${time} WHERE id = ${id}`);
    await changeRows(catalog, sql`UPDATE blobs SET erased = ${time}`);
    await store.close();
    expect((await verified()).notErased).toEqual([sha256(segment)]);
    server = await spawnServe(world.data, { port });
    // Where other servers may share the store, the one that was killed leads until nobody heard of it for a minute.
    let found = await verified();
    while (isShared && found.notErased.length > 0) {
      await delay(1000);
      found = await verified();
    }
    expect(found).toEqual(expect.objectContaining({ blobs: 0, notErased: [] }));
  });
});

/** Sends the first 1000 bytes of a segment and remembers where. Returns the path of the upload. */
async function partOf(segment: Uint8Array, resumeFile: string): Promise<string> {
  const endpoint = `${server.addresses.pool}/v1/uploads`;
  const digest = sha256(segment);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const headers = {
    Authorization: `Bearer ${world.tokens.institution}`,
    'Tus-Resumable': '1.0.0',
  };
  const begun = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...headers,
      'Upload-Length': String(segment.length),
      'Upload-Metadata': `digest ${base64(digest)},kind ${base64('segment')}`,
    },
  });
  const path = begun.headers.get('location') ?? '';
  await fetch(server.addresses.pool + path, {
    method: 'PATCH',
    headers: {
      ...headers,
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(segment.subarray(0, 1000)),
  });
  const record = {
    size: segment.length,
    metadata: {},
    creationTime: new Date().toString(),
    uploadUrl: server.addresses.pool + path,
    urlStorageKey: `${endpoint} ${digest}`,
  };
  writeFileSync(resumeFile, JSON.stringify([record]));
  return path;
}
