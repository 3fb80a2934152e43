import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Response } from 'express';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { ReadingPlaces } from '../../../services/pool/reading-places.js';
import { shape } from '../../proto/encoded-sentences.js';
import { servedWorld } from '../served-world.js';
import { contributionOf, segmentOf, sha256 } from '../world.js';

const limited = expect.objectContaining({ code: 'rate-limited' });

describe('places of readings', () => {
  const told: Record<string, string> = {};
  const response = { set: (name: string, value: string) => Object.assign(told, { [name]: value }) };
  const answer = response as unknown as Response;

  async function begun(places: ReadingPlaces, token: string): Promise<() => Promise<void>> {
    let end = () => {};
    const reading = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = places.hold(token, answer, () => reading);
    // A refusal comes before this.
    await Promise.race([held, new Promise((resolve) => setImmediate(resolve))]);
    return async () => {
      end();
      await held;
    };
  }

  test.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [64, 32],
  ])('of %i one token has %i', async (all, most) => {
    const places = new ReadingPlaces(all);
    const ends = [];
    for (let i = 0; i < most; i++) ends.push(await begun(places, 'greedy'));
    await expect(begun(places, 'greedy')).rejects.toEqual(limited);
    expect(told['Retry-After']).toBe('10');
    for (const end of ends) await end();
    await (await begun(places, 'greedy'))();
  });

  test('are left to others, and no more of them are given than there are', async () => {
    const places = new ReadingPlaces(4);
    for (const token of ['a', 'a', 'b', 'b']) await begun(places, token);
    await expect(begun(places, 'c')).rejects.toEqual(limited);
  });

  test('are given up by what may give way, for another or for one more of its own token', async () => {
    const places = new ReadingPlaces(4);
    const ended: string[] = [];
    const yielding = (token: string) => {
      const giveWay = () => ended.push(token) > 0;
      return places.hold(token, answer, () => new Promise<void>(() => {}), giveWay);
    };
    void yielding('b');
    await begun(places, 'a');
    void yielding('a');
    await begun(places, 'a');
    expect(ended).toEqual(['a']);
    await begun(places, 'c');
    await begun(places, 'd');
    expect(ended).toEqual(['a', 'b']);
    await expect(begun(places, 'e')).rejects.toEqual(limited);
  });

  test('are free again after a reading that failed', async () => {
    const places = new ReadingPlaces(1);
    const failing = () => Promise.reject(new Error('cut off'));
    await expect(places.hold('a', answer, failing)).rejects.toThrow('cut off');
    await (await begun(places, 'b'))();
  });
});

describe('a consumer with many readings', () => {
  const site = servedWorld({ limits: { ...DEFAULT_LIMITS, readings: 2 } });
  const wide = { ...shape, dimension: 1024, elementType: 'float32' } as const;
  let snapshot: Snapshot;

  beforeAll(async () => {
    const segment = segmentOf(600, 1, wide);
    const institution = site.as('institution');
    await institution.upload(segment, { digest: sha256(segment), kind: 'segment' });
    const envelope = contributionOf([segment], site.world.keys.institution);
    await institution.json('POST', PATHS.contributions, envelope);
    snapshot = await site.as('consumer').json('POST', PATHS.snapshots, {});
  });

  /** Reads the head of the answer alone, so that the place stays taken until `leave`. */
  function read(token: string): Promise<{ status: number; retry?: string; leave: () => void }> {
    const path = pathTo(PATHS.snapshotSentences, snapshot);
    return new Promise((resolve, reject) => {
      const asked = request(`${site.pool}${path}?seed=1`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      asked.once('response', ({ statusCode = 0, headers }) =>
        resolve({
          status: statusCode,
          ...(headers['retry-after'] && { retry: headers['retry-after'] }),
          leave: () => asked.destroy(),
        }),
      );
      asked.once('error', reject);
      asked.end();
    });
  }

  test('leaves a place to another, and is told when to come again', async () => {
    const { consumer, admin } = site.world.tokens;
    const first = await read(consumer);
    const second = await read(consumer);
    const other = await read(admin);
    expect([first.status, second.status, second.retry, other.status]).toEqual([
      200,
      429,
      '10',
      200,
    ]);
    for (const { leave } of [first, second, other]) leave();
  });
});
