import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Contribution } from '../../../../pool-store/contributions/contribution-records.js';
import { ServiceClient } from '../../../../services/client/client.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import {
  type ContributeOptions,
  contribute,
} from '../../../../services/institution/release/contribute.js';
import { dropSegments } from '../../../../services/institution/release/drop-segments.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { summariseLedger } from '../../../../services/institution/release/ledger/ledger-summary.js';
import { capturedRun } from '../../cli/captured-run.js';
import { type RecordingProxy, startRecordingProxy } from '../../recording-proxy.js';
import { servedWorld } from '../../served-world.js';
import { notesOfDistinctLengths, WORDS } from '../notes.js';
import { createPublisher, encodingModelOf, type Publisher, removePublisher } from '../publisher.js';
import { encodeKept } from './encode-kept.js';

const NOTES = notesOfDistinctLengths(20);
const NOWHERE = new ServiceClient({ baseUrl: 'http://127.0.0.1:1', token: 'none' });
const OPTIONS = { segmentBytes: 1500, maxReleases: 1, minDocuments: 1 };

describe('segments that are dropped', () => {
  const site = servedWorld();
  let publisher: Publisher;
  let model: EncodingModel;
  let proxy: RecordingProxy;
  let home: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    model = await encodingModelOf(publisher);
  });
  beforeEach(async () => {
    proxy = await startRecordingProxy(site.servers.addresses.pool ?? '');
    home = await mkdtemp(join(tmpdir(), 'tacet-home-'));
    await encodeKept(NOTES, model, home, OPTIONS);
  });
  afterEach(async () => {
    await proxy.close();
    await rm(home, { recursive: true });
  });
  afterAll(() => removePublisher(publisher));

  const give = (changes: Partial<ContributeOptions> = {}) =>
    contribute(home, {
      pool: new ServiceClient({ baseUrl: proxy.url, token: site.world.tokens.institution }),
      privateKey: site.world.keys.institution,
      institution: 'institution',
      terms: 'tests',
      ...changes,
    });
  const waiting = async () => {
    const ledger = await Ledger.open(home);
    const pending = ledger.segments.pending();
    ledger.close();
    return pending;
  };
  const files = async () =>
    (await readdir(join(home, 'outbox'))).filter((name) => name.endsWith('.segment'));
  const held = () => site.as('admin').json<Contribution[]>('GET', '/v1/contributions');

  test('are deleted and given no more, and count as released as they did', async () => {
    const [first, ...others] = await waiting();
    const { pending, ...counted } = summariseLedger(home) ?? { pending: 0 };
    expect(await dropSegments(home, [first?.digest ?? ''])).toEqual([first]);
    expect(await waiting()).toEqual(others);
    expect(await files()).toEqual(others.map(({ digest }) => `${digest}.segment`));
    expect(summariseLedger(home)).toEqual({ ...counted, pending: pending - 1 });
    expect(await encodeKept(NOTES, model, home, OPTIONS)).toMatchObject({ released: 0 });
    await dropSegments(home, [first?.digest ?? '']);
    expect(await give()).toMatchObject([{ segments: others.length }]);
    expect(await waiting()).toEqual([]);
  });

  test('leave the rest of a contribution that was signed with them, which is signed anew', async () => {
    await expect(give({ pool: NOWHERE })).rejects.toMatchObject({ code: 'server-unreachable' });
    const [first, ...others] = await waiting();
    await dropSegments(home, [first?.digest ?? '']);
    expect(await give()).toMatchObject([{ segments: others.length }]);
    expect(await files()).toEqual([]);
  });

  test('are none that the pool may have taken, unless that is said, and are accepted where it did', async () => {
    const before = await held();
    proxy.breakAt('POST /v1/contributions', 'answer');
    await expect(give()).rejects.toMatchObject({ code: 'server-unreachable' });
    const segments = await waiting();
    const [{ digest } = { digest: '' }] = segments;
    await expect(dropSegments(home, [digest])).rejects.toMatchObject({
      code: 'outcome-unknown',
      message: expect.stringContaining('run tacet contribute'),
    });
    expect(await waiting()).toEqual(segments);
    expect(await dropSegments(home, [digest], { althoughSent: true })).toHaveLength(1);
    expect(await give()).toMatchObject([{ segments: segments.length }]);
    expect(await held()).toHaveLength(before.length + 1);
  });

  test('may be all that was signed together', async () => {
    await expect(give({ pool: NOWHERE })).rejects.toMatchObject({ code: 'server-unreachable' });
    const digests = (await waiting()).map(({ digest }) => digest);
    await dropSegments(home, digests);
    expect(await give()).toEqual([]);
    expect(await files()).toEqual([]);
  });

  test('are none where one was accepted or is unknown', async () => {
    await give();
    await encodeKept(notesOfDistinctLengths(25), model, home, OPTIONS);
    const segments = await waiting();
    const [one] = segments;
    const [{ id } = { id: '' }] = (await held()).slice(-1);
    const [accepted] = (await site.servers.store.contributions.segmentsOf(id)).slice(-1);
    const digests = (last: string) => [one?.digest ?? '', last];
    await expect(dropSegments(home, digests(accepted?.digest ?? ''))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`tacet withdraw ${id}`),
    });
    await expect(dropSegments(home, digests('f'.repeat(64)))).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await waiting()).toEqual(segments);
    expect(await files()).toHaveLength(segments.length);
  });

  test('are dropped by command', async () => {
    const [{ digest } = { digest: '' }] = await waiting();
    expect(await capturedRun('home', 'drop', home, digest)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(`segment ${digest}: deleted`),
    });
    expect(await capturedRun('home', 'drop', home, 'f'.repeat(64))).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('not-found'),
    });
  });
});
