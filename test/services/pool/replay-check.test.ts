import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Random } from '../../../models/tensor/random.js';
import { PROBES, probeTokens } from '../../../pool-store/segments/probe-sample.js';
import type { Store } from '../../../pool-store/store.js';
import type { EncodedSentence } from '../../../proto/encoded-sentence.js';
import { writeSegment } from '../../../proto/segment.js';
import { ServiceClient } from '../../../services/client/client.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { listen } from '../../../services/http/server.js';
import { createPool } from '../../../services/pool/pool.js';
import { ReplayCheck } from '../../../services/pool/replay-check.js';
import { replayDistance } from '../../../services/pool/replay-distance.js';
import { openStore } from '../../pool-store/opened-store.js';
import { Giver } from '../../pool-store/pooled-store.js';
import {
  disguised,
  OUTPUT_NOISE,
  RELEASE_MODEL,
  RELEASE_SHAPE,
  releases,
  STDDEV,
} from './releases.js';

const refused = expect.objectContaining({
  code: 'contribution-invalid',
  message: expect.stringMatching(/too near/),
});

let directory: string;
let store: Store;
let giver: Giver;
let check: ReplayCheck;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-replay-'));
  store = await openStore(directory);
  giver = await Giver.of(store);
  check = new ReplayCheck(store);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Uploads the sentences and gives them as the route does; returns what was given. */
async function give(
  sentences: readonly EncodedSentence[],
  { by = check, from = giver, meanwhile }: Giving = {},
): Promise<string> {
  const bytes = writeSegment(RELEASE_SHAPE, sentences);
  await from.upload(bytes);
  const { contributions } = by.store;
  const record = contributions.record.bind(contributions);
  if (meanwhile)
    contributions.record = async (...given) => {
      await meanwhile();
      return record(...given);
    };
  try {
    return (await by.judge(from.contributionOf(bytes), RELEASE_MODEL)).id;
  } finally {
    contributions.record = record;
  }
}

interface Giving {
  readonly by?: ReplayCheck;
  readonly from?: Giver;
  /** What comes to pass between the judgement and the acceptance. */
  readonly meanwhile?: () => Promise<unknown>;
}

describe('the check for replays', () => {
  test('lets honest releases pass, of the same notes too', async () => {
    for (const seed of [1, 2, 3]) await give([...releases(seed, 50)]);
    expect(await store.contributions.list()).toHaveLength(3);
  });

  test.each([0.01, 0.1, 0.3])(
    'refuses sentences given again under %d of the noise, in another order',
    async (share) => {
      const given = [...releases(4, 50)];
      await give(given);
      await give([...releases(5, 50)]);
      await expect(give(disguised(given, share).reverse())).rejects.toEqual(refused);
      expect(await store.contributions.list()).toHaveLength(2);
    },
  );

  test('refuses them among as many others', async () => {
    const given = [...releases(6, 50)];
    await give(given);
    const mixed = [...releases(7, 50), ...disguised(given, 0.1)];
    await expect(give(mixed)).rejects.toEqual(refused);
  });

  test('still knows after a restart what was given before', async () => {
    const given = [...releases(8, 50)];
    await give(given);
    const restarted = new ReplayCheck(store);
    await expect(give(disguised(given, 0.1), { by: restarted })).rejects.toEqual(refused);
  });

  test('forgets what was withdrawn and what was refused', async () => {
    const given = [...releases(9, 50)];
    const id = await give(given);
    const digests = (await store.contributions.segmentsOf(id)).map(({ digest }) => digest);
    await store.contributions.withdraw(id);
    await check.forget(digests);
    const again = disguised(given, 0.1);
    const bytes = writeSegment(RELEASE_SHAPE, again);
    await giver.upload(bytes);
    const refusing = () => {
      throw new Error('refused for something else');
    };
    const failing = check.judge({ ...giver.contributionOf(bytes), check: refusing }, RELEASE_MODEL);
    await expect(failing).rejects.toThrow('something else');
    await give(disguised(given, 0.2));
  });

  test('forgets what is withdrawn while it learns of it', async () => {
    await give([...releases(31, 50)]);
    const given = [...releases(32, 50)];
    const id = await give(given, { by: new ReplayCheck(store) });
    const [{ digest }] = await store.contributions.segmentsOf(id);
    const open = store.blobs.open.bind(store.blobs);
    store.blobs.open = async (wanted, amongBytes) => {
      const blob = await open(wanted, amongBytes);
      if (wanted !== digest) return blob;
      store.blobs.open = open;
      const close = blob.close.bind(blob);
      // Once its sample was read.
      blob.close = async () => {
        await close();
        await store.contributions.withdraw(id);
        await check.forget([digest]);
      };
      return blob;
    };
    await give([...releases(33, 50)]);
    await give(disguised(given, 0.1));
  });

  test('compares every segment of a contribution of many, and forgets all where one is refused', async () => {
    const given = [...releases(20, 50)];
    await give(given);
    const digests: string[] = [];
    for (const sentences of [
      ...Array.from({ length: 20 }, (_, i) => [...releases(100 + i, 12)]),
      disguised(given, 0.1),
    ])
      digests.push(await giver.upload(writeSegment(RELEASE_SHAPE, sentences)));
    const { envelope, manifest } = giver.contributionOf(writeSegment(RELEASE_SHAPE, given));
    const judged = (segments: readonly string[]) =>
      check.judge({ envelope, manifest: { ...manifest, segments: [...segments] } }, RELEASE_MODEL);
    const taken = { id: 'taken', sequence: undefined };
    store.contributions.record = async () => [{ status: 'fulfilled', value: taken }];
    await expect(judged(digests)).rejects.toEqual(refused);
    expect(await judged(digests.slice(0, -1))).toBe(taken);
  });

  test('of two that come at once takes one', async () => {
    const given = [...releases(10, 50)];
    const both = await Promise.allSettled([give(given), give(disguised(given, 0.1))]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a server that is held up between judging and accepting', () => {
  let other: { store: Store; from: Giver; by: ReplayCheck };

  // Beside the first as the server whose turn it is once the lease of one that was held up has ended.
  beforeEach(async () => {
    const opened = await openStore(directory);
    const from = await Giver.of(opened, 'south');
    other = { store: opened, from, by: new ReplayCheck(opened) };
  });
  afterEach(() => other.store.close());

  test('refuses what another accepted nearly the same of meanwhile', async () => {
    const given = [...releases(30, 50)];
    let times = 0;
    const meanwhile = async () => {
      if (times++ === 0) await give(disguised(given, 0.1), other);
    };
    await expect(give(given, { meanwhile })).rejects.toEqual(refused);
    const [kept, ...more] = await store.contributions.list();
    expect([kept.institution, more]).toEqual(['south', []]);
  });

  test('judges anew, and accepts, where what another accepted is something else', async () => {
    let times = 0;
    const meanwhile = async () => {
      if (times++ < 2) await give([...releases(40 + times, 50)], other);
    };
    await give([...releases(31, 50)], { meanwhile });
    expect(times).toBe(3);
    expect(await store.contributions.list()).toHaveLength(3);
    await expect(give(disguised([...releases(41, 50)], 0.1))).rejects.toEqual(refused);
  });

  test('asks for another try where that happens again and again, and has forgotten what it judged', async () => {
    const given = [...releases(32, 50)];
    let times = 0;
    const meanwhile = () => give([...releases(50 + times++, 12)], other);
    await expect(give(given, { meanwhile })).rejects.toEqual(
      expect.objectContaining({ code: 'pool-busy', status: 503 }),
    );
    expect(await store.contributions.list()).toHaveLength(times);
    await give(disguised(given, 0.1));
  });

  test('is not told of what was withdrawn again, nor of what others gave to another model', async () => {
    let times = 0;
    const meanwhile = async () => {
      times++;
      const { contributions } = other.store;
      await contributions.withdraw(await give([...releases(60, 12)], other));
      await other.from.give(1, 'a'.repeat(64));
    };
    await give([...releases(33, 50)], { meanwhile });
    expect(times).toBe(1);
  });

  test('takes one of every two that come to both at once', async () => {
    for (let round = 0; round < 6; round++) {
      const given = [...releases(70 + round, 20)];
      const both = [give(given), give(disguised(given, 0.1), other)];
      const outcomes = await Promise.allSettled(both);
      const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(failed).toEqual([refused]);
    }
    expect(await store.contributions.list()).toHaveLength(6);
  });
});

test('a pool that knows the model refuses replays and other noise', async () => {
  const { modelDigest: digest, labelSchemeDigest, labelCount } = RELEASE_SHAPE;
  const labelScheme = { digest: labelSchemeDigest, labels: Array(labelCount).fill('O') };
  const model = { digest, name: 'model', version: '1.0.0', publisher: 'provider', files: {} };
  await store.models.publish({ ...model, manifest: { ...RELEASE_MODEL, labelScheme } });
  const { token } = await store.tokens.create({ role: 'institution', name: giver.name });
  const logger = pino({ level: 'silent' });
  const server = await listen(createPool({ store, logger, limits: DEFAULT_LIMITS }), {
    ...{ host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS },
  });
  const client = new ServiceClient({ baseUrl: server.url, token });
  const uploaded = async (sentences: readonly EncodedSentence[]) => {
    const bytes = writeSegment(RELEASE_SHAPE, sentences);
    await giver.upload(bytes);
    return giver.contributionOf(bytes).envelope;
  };
  const post = async (sentences: readonly EncodedSentence[]) =>
    client.json('POST', '/v1/contributions', await uploaded(sentences));
  const given = [...releases(11, 40)];
  await post(given);
  await expect(post(disguised(given, 0.1))).rejects.toEqual(refused);
  await expect(post([...releases(12, 40, 0.5)])).rejects.toThrow(/mean squared norm/);
  expect(await post(given)).toEqual(expect.objectContaining({ sentences: 40 }));
  const late = [...releases(13, 40)];
  const envelope = await uploaded(late);
  const other = await openStore(directory);
  const from = await Giver.of(other, 'south');
  beforeNextWrite(store, () => give(disguised(late, 0.1), { from, by: new ReplayCheck(other) }));
  await expect(client.json('POST', '/v1/contributions', envelope)).rejects.toEqual(refused);
  await other.close();
  await server.close();
});

/** Lets something come to pass once, when a transaction is about to begin. */
function beforeNextWrite({ catalog }: Store, happens: () => Promise<unknown>): void {
  const write = catalog.write.bind(catalog);
  catalog.write = async (work, area) => {
    catalog.write = write;
    await happens();
    return write(work, area);
  };
}

test('honest releases of the same sentence are nearer than the distance as often as it says', () => {
  const tokens = probeTokens(RELEASE_SHAPE.dimension);
  const probability = 0.05;
  const near = replayDistance(OUTPUT_NOISE, { tokens, probability });
  const random = new Random(3);
  const draws = 1000;
  let alarms = 0;
  for (let i = 0; i < draws; i++) {
    const noise = random.normals(2 * tokens * STDDEV.length);
    let distance = 0;
    for (let j = 0; j < tokens * STDDEV.length; j++) {
      distance += ((noise[2 * j] - noise[2 * j + 1]) * STDDEV[j % STDDEV.length]) ** 2;
    }
    alarms += Number(distance < near);
  }
  expect(alarms / draws).toBeLessThan(probability);
  expect(PROBES).toBe(32);
});
