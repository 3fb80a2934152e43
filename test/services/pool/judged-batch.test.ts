import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Random } from '../../../models/tensor/random.js';
import type {
  GivenContribution,
  Recorded,
  SampledSegment,
} from '../../../pool-store/contributions/record-contributions.js';
import { probeTokens } from '../../../pool-store/segments/probe-sample.js';
import { packPoints } from '../../../pool-store/segments/probes.js';
import type { SegmentRecord } from '../../../pool-store/segments/segment-records.js';
import type { Store } from '../../../pool-store/store.js';
import type { EncodedSentence } from '../../../proto/encoded-sentence.js';
import { TacetError } from '../../../proto/errors.js';
import { writeSegment } from '../../../proto/segment.js';
import { type Judged, JudgedBatch } from '../../../services/pool/judged-batch.js';
import { ReplayCheck } from '../../../services/pool/replay-check.js';
import { ReplayIndex } from '../../../services/pool/replay-index.js';
import { COMPARED_SEGMENTS, type Probed } from '../../../services/pool/samples.js';
import { openStore } from '../../pool-store/opened-store.js';
import { Giver } from '../../pool-store/pooled-store.js';
import { disguised, RELEASE_MODEL, RELEASE_SHAPE, releases } from './releases.js';

const refused = expect.objectContaining({
  code: 'contribution-invalid',
  message: expect.stringMatching(/too near/),
});

let directory: string;
let store: Store;
let giver: Giver;
let check: ReplayCheck;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-batch-'));
  store = await openStore(directory);
  giver = await Giver.of(store);
  check = new ReplayCheck(store);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('contributions that come to a server at once', () => {
  const uploaded = async (sentences: readonly EncodedSentence[]) => {
    const bytes = writeSegment(RELEASE_SHAPE, sentences);
    await giver.upload(bytes);
    return giver.contributionOf(bytes);
  };
  const judge = (given: GivenContribution) => check.judge(given, RELEASE_MODEL);
  const give = async (sentences: readonly EncodedSentence[]) => judge(await uploaded(sentences));

  /** The first is judged alone, the others together after it. */
  async function giveAll(all: readonly GivenContribution[]) {
    const { contributions } = store;
    const record = contributions.record.bind(contributions);
    const together: number[] = [];
    contributions.record = async (given, judgedTo) => {
      together.push(given.length);
      // Until the others have come.
      if (together.length === 1) await delay(200);
      return record(given, judgedTo);
    };
    const outcomes = await Promise.allSettled([
      ...[await uploaded([...releases(201, 12)]), ...all].map(judge),
    ]);
    return { outcomes: outcomes.slice(1), together };
  }
  const withOtherNoise = new TacetError('contribution-invalid', 'other noise');
  const refusing = () => {
    throw withOtherNoise;
  };

  test('are recorded together, each with an entry of the log, and refused one by one', async () => {
    const all = [];
    for (let i = 0; i < 6; i++) all.push(await uploaded([...releases(210 + i, 20)]));
    const [first, second, ...others] = all;
    const near = await uploaded(disguised([...releases(212, 20)], 0.1));
    const { outcomes, together } = await giveAll([
      ...[first, { ...second, check: refusing }, ...others, near, first],
    ]);
    const found = outcomes.map((each) => (each.status === 'rejected' ? each.reason : 'kept'));
    const [one, two, ...rest] = found;
    expect([one, two]).toEqual(['kept', withOtherNoise]);
    // Of the two that are near each other the one that came first is kept, whichever it was.
    expect(rest.filter((each) => each !== 'kept')).toEqual([refused]);
    expect([rest[0], rest[4]]).toContainEqual(refused);
    expect(together.reduce((sum, count) => sum + count)).toBe(8);
    expect(together.length).toBeLessThan(4);
    const kept = (await store.contributions.list()).map(({ id }) => id);
    const entries = await store.log.entries();
    const accepted = entries.filter(({ action }) => action === 'contribution-accepted');
    expect(new Set(accepted.map(({ subject }) => subject))).toEqual(new Set(kept));
    expect(accepted).toHaveLength(kept.length);
    expect(kept).toHaveLength(6);
    expect(await store.log.firstBroken()).toBeUndefined();
    await expect(give(disguised([...releases(213, 20)], 0.1))).rejects.toEqual(refused);
    await give(disguised([...releases(211, 20)], 0.1));
  });

  test('are not refused for what lies near them in one that is refused itself', async () => {
    const sentences = [...releases(220, 20)];
    const one = { ...(await uploaded(sentences)), check: refusing };
    const near = await uploaded(disguised(sentences, 0.1));
    const { outcomes } = await giveAll([one, near]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('repeat no vectors of one another that is kept, whatever labels they give them', async () => {
    const sentences = [...releases(240, 20)];
    const relabelled = (shift: number) =>
      sentences.map(({ vectors, labels }) => ({
        vectors,
        labels: labels.map((label) => (label + shift) % RELEASE_SHAPE.labelCount),
      }));
    const all = [];
    for (const shift of [0, 1, 2]) all.push(await uploaded(relabelled(shift)));
    all.push(await uploaded([...releases(241, 20)]));
    const recorded = await store.contributions.record([
      ...[{ ...all[0], check: refusing }, ...all.slice(1)],
    ] as GivenContribution[]);
    expect(
      recorded.map((each) => (each.status === 'rejected' ? each.reason.message : 'kept')),
    ).toEqual(['other noise', 'kept', expect.stringMatching(/repeats vectors of segment/), 'kept']);
  });

  test('are all kept but the one that the catalog itself does not take', async () => {
    const all = [];
    for (let i = 0; i < 3; i++) all.push(await uploaded([...releases(230 + i, 20)]));
    const broken = new Error('not for the catalog');
    const breaking = () => {
      throw broken;
    };
    const { outcomes } = await giveAll([
      ...[all[0], { ...all[1], check: breaking }, all[2]],
    ] as GivenContribution[]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toEqual({ status: 'rejected', reason: broken });
  });
});

describe('a batch whose record finds that others recorded meanwhile', () => {
  const model = RELEASE_SHAPE.modelDigest;
  const { dimension } = RELEASE_SHAPE;
  const places = probeTokens(dimension) * dimension;
  const random = new Random(7);
  const probedOf = (digest: string): Probed => ({
    ...{ digest, elementType: 'float16' },
    probes: [random.normals(places), random.normals(places)],
  });
  const judgedOf = (...segments: Probed[]): Judged => ({
    given: { manifest: { segments: segments.map(({ digest }) => digest) } } as never,
    tooNear: 1,
    async *samples() {
      yield* segments;
    },
  });
  const recordOf = (others: readonly Probed[]) =>
    others.map(({ digest, probes, elementType }): SampledSegment => {
      const segment = {
        digest,
        dimension,
        elementType,
        probes: [0, 0],
      } as unknown as SegmentRecord;
      return { segment, points: packPoints(probes, elementType) };
    });

  /** A store that others record in, whose records are what they are said to be. */
  function recording(since: (round: number) => readonly SampledSegment[]) {
    let rounds = 0;
    store.contributions.record = async (given, judgement) => {
      const came = since(rounds++);
      const reasons = came.length > 0 ? judgement?.compare(given, came) : undefined;
      return given.map((_, i): Recorded => {
        const reason = reasons?.[i];
        return reason
          ? { status: 'rejected', reason }
          : { status: 'fulfilled', value: { id: `${i}`, sequence: 10 * rounds + i } };
      });
    };
    return () => rounds;
  }

  async function decided(index: ReplayIndex, ...all: Judged[]): Promise<string[]> {
    const batch = new JudgedBatch(store, index, all);
    await batch.decide();
    return batch.outcomes.map((each) => (each.status === 'fulfilled' ? 'kept' : each.reason.code));
  }

  test('refuses what lies near to theirs, and has theirs and its own in the index then', async () => {
    const index = await ReplayIndex.of(store, model, dimension);
    const [theirs, own, near, another] = [...'abcd'].map(probedOf) as [
      Probed,
      Probed,
      Probed,
      Probed,
    ];
    const same = { ...near, probes: theirs.probes };
    recording(() => recordOf([theirs]));
    expect(await decided(index, judgedOf(own), judgedOf(another, same))).toEqual([
      'kept',
      'contribution-invalid',
    ]);
    expect([...'abcd'].filter((digest) => index.holds(digest))).toEqual(['a', 'b']);
    expect(index.followedTo).toBe(10);
  });

  test('follows, and tries again, where their samples are not in the catalog or would take too long', async () => {
    const index = await ReplayIndex.of(store, model, dimension);
    const many = recordOf(Array.from({ length: 64 }, (_, i) => probedOf(`${i}`)));
    const [first] = recordOf([probedOf('first')]) as [SampledSegment];
    const rounds = recording((round) => {
      if (round === 0) return [{ ...first, points: undefined }];
      return round === 1 ? many : [];
    });
    const large = Array.from({ length: 200 }, (_, i) => probedOf(`own ${i}`));
    expect(await decided(index, judgedOf(...large))).toEqual(['kept']);
    expect(rounds()).toBe(3);
  });

  test('gives up where others are faster again and again', async () => {
    const index = await ReplayIndex.of(store, model, dimension);
    const [first] = recordOf([probedOf('first')]) as [SampledSegment];
    recording(() => [{ ...first, points: undefined }]);
    expect(await decided(index, judgedOf(probedOf('own')))).toEqual(['pool-busy']);
    expect(index.holds('own')).toBe(false);
  });

  test('leaves what the index has where a contribution of very many segments is refused', async () => {
    const index = await ReplayIndex.of(store, model, dimension);
    recording(() => []);
    const kept = probedOf('kept');
    await decided(index, judgedOf(kept));
    const many = Array.from({ length: COMPARED_SEGMENTS + 10 }, (_, i) => probedOf(`many ${i}`));
    const again = { ...probedOf('again'), probes: kept.probes };
    expect(await decided(index, judgedOf(...many, again))).toEqual(['contribution-invalid']);
    expect(index.holds('kept')).toBe(true);
    expect(await decided(index, judgedOf(again))).toEqual(['contribution-invalid']);
  });

  test('refuses a near segment also where another contribution of the batch names it, too', async () => {
    const index = await ReplayIndex.of(store, model, dimension);
    const [theirs, named] = [...'ab'].map(probedOf) as [Probed, Probed];
    const same = { ...named, probes: theirs.probes };
    recording(() => recordOf([theirs]));
    expect(await decided(index, judgedOf(same), judgedOf(same))).toEqual([
      ...['contribution-invalid', 'contribution-invalid'],
    ]);
  });
});
