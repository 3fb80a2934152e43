import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Snapshot } from '../../../pool-store/snapshot.js';
import type { EncodedSentence } from '../../../proto/encoded-sentence.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { writeSegment } from '../../../proto/segment.js';
import type { SegmentShape } from '../../../proto/segment-header.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { sentenceOf, shape } from '../../proto/encoded-sentences.js';
import { contributionOf, createWorld, serve, sha256, type World } from '../world.js';

const WIDE: SegmentShape = { ...shape, dimension: 1024, elementType: 'float32' };
/** Of eight megabytes each, so that a window holds two. */
const SENTENCES = 340;
const SEGMENTS = 8;
const BLOCK_MS = 20;

let world: World;
let servers: Servers;
let snapshot: Snapshot;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world, { limits: { ...DEFAULT_LIMITS, readings: 1 } });
  const pool = servers.addresses.pool ?? '';
  const institution = new ServiceClient({ baseUrl: pool, token: world.tokens.institution });
  const segments = Array.from({ length: SEGMENTS }, (_, i) =>
    writeSegment(
      WIDE,
      Array.from({ length: SENTENCES }, (_, j) => ownSentence(i * SENTENCES + j)),
    ),
  );
  for (const segment of segments)
    await institution.upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf(segments, world.keys.institution);
  await institution.json('POST', PATHS.contributions, envelope);
  const consumer = new ServiceClient({ baseUrl: pool, token: world.tokens.consumer });
  snapshot = await consumer.json('POST', PATHS.snapshots, {});
}, 60_000);
afterAll(async () => {
  await servers.close();
  world.remove();
});

const ALIKE = sentenceOf(6, 1, WIDE);

/** Differs from all others in the first number of each token. */
function ownSentence(number: number): EncodedSentence {
  const vectors = ALIKE.vectors.slice();
  const view = new DataView(vectors.buffer);
  for (let t = 0; t < 6; t++) view.setFloat32(t * WIDE.dimension * 4, number / 10_000, true);
  return { ...ALIKE, vectors };
}

function read(seed: number, signal?: AbortSignal): Promise<Response> {
  const path = pathTo(PATHS.snapshotSentences, snapshot);
  return fetch(`${servers.addresses.pool}${path}?seed=${seed}`, {
    headers: { Authorization: `Bearer ${world.tokens.consumer}`, Range: 'bytes=1-' },
    signal: signal ?? null,
  });
}

describe('a reader who goes away before the length of the rest is known', () => {
  test('takes nobody its place among the readings', async () => {
    const { blobs } = servers.store;
    const open = blobs.open.bind(blobs);
    blobs.open = async (...which: Parameters<typeof open>) => {
      await delay(BLOCK_MS);
      return open(...which);
    };
    await expect(read(1, AbortSignal.timeout(300))).rejects.toThrow();
    await delay(2500);
    blobs.open = open;
    const response = await read(2);
    expect(response.status).toBe(206);
    await response.arrayBuffer();
  }, 60_000);
});
