import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ClaimedJob } from '../../../pool-store/training/training-job.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { shape } from '../../proto/encoded-sentences.js';
import { servedWorld } from '../served-world.js';
import { contributionOf, segmentOf, sha256 } from '../world.js';

const QUOTA_BYTES = 100_000;
const BYTES = 60_000;

const site = servedWorld({ limits: { ...DEFAULT_LIMITS, quotaBytes: QUOTA_BYTES } });
const { as } = site;
let claimed: ClaimedJob;

beforeAll(async () => {
  const segment = segmentOf(5, 1);
  await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], site.world.keys.institution);
  await as('institution').json('POST', PATHS.contributions, envelope);
  const { id: snapshot } = await as('consumer').json<{ id: string }>('POST', PATHS.snapshots, {});
  const job = { snapshot, name: 'pooled', version: '1.0.0', config: {} };
  await as('consumer').json('POST', PATHS.trainingJobs, job);
  const models = [shape.modelDigest];
  claimed = await as('consumer').json('POST', PATHS.trainingJobClaims, { models });
});

interface Begun {
  readonly sent: ClientRequest;
  readonly answer: Promise<[IncomingMessage]>;
}

/** Sends all but the last byte of a checkpoint. */
function begin(content: Uint8Array): Begun {
  const { job, lease } = claimed;
  const path = pathTo(PATHS.trainingJobCheckpoint, { id: job.id, digest: sha256(content) });
  const sent = request(`${site.pool}${path}?lease=${lease.id}&epoch=1&bytes=${content.length}`, {
    method: 'PUT',
    headers: {
      Authorization: `Bearer ${site.world.tokens.consumer}`,
      'Content-Length': content.length,
    },
  });
  sent.write(content.subarray(0, -1));
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
  answer.catch(() => {});
  return { sent, answer };
}

async function codeOf({ answer }: Begun): Promise<unknown> {
  const [response] = await answer;
  const body = (await json(response)) as { code?: string };
  return body.code ?? response.statusCode;
}

describe('a checkpoint that is under way', () => {
  test('counts for the quota of who sends it, until it came or broke off', async () => {
    const [first, second] = [Buffer.alloc(BYTES, 'first'), Buffer.alloc(BYTES, 'second')];
    const slow = begin(first);
    await delay(500);
    const refused = begin(second);
    expect(await Promise.race([codeOf(refused), delay(3000, 'admitted')])).toBe('quota-exceeded');
    slow.sent.destroy();
    await delay(500);
    const again = begin(second);
    again.sent.end(second.subarray(-1));
    expect(await codeOf(again)).toBe(200);
  });
});
