import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import type { EncodedSentence } from '../../../proto/encoded-sentence.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { writeSegment } from '../../../proto/segment.js';
import type { SegmentShape } from '../../../proto/segment-header.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { sentenceOf, shape } from '../../proto/encoded-sentences.js';
import { servedWorld } from '../served-world.js';
import { contributionOf, sha256 } from '../world.js';

const WIDE: SegmentShape = { ...shape, dimension: 1024, elementType: 'float32' };
/** Of eight megabytes each, so that a window holds two. */
const SENTENCES = 340;
const SEGMENTS = 8;
const BLOCK_MS = 20;

const site = servedWorld({ limits: { ...DEFAULT_LIMITS, readings: 1 } });
let snapshot: Snapshot;

beforeAll(async () => {
  const institution = site.as('institution');
  const segments = Array.from({ length: SEGMENTS }, (_, i) =>
    writeSegment(
      WIDE,
      Array.from({ length: SENTENCES }, (_, j) => ownSentence(i * SENTENCES + j)),
    ),
  );
  for (const segment of segments)
    await institution.upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf(segments, site.world.keys.institution);
  await institution.json('POST', PATHS.contributions, envelope);
  snapshot = await site.as('consumer').json('POST', PATHS.snapshots, {});
}, 60_000);

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
  return fetch(`${site.pool}${path}?seed=${seed}`, {
    headers: { Authorization: `Bearer ${site.world.tokens.consumer}`, Range: 'bytes=1-' },
    signal: signal ?? null,
  });
}

describe('a reader who goes away before the length of the rest is known', () => {
  test('takes nobody its place among the readings', async () => {
    const { blobs } = site.servers.store;
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
