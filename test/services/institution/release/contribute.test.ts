import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Contribution } from '../../../../pool-store/contributions/contribution-records.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import { readSegment } from '../../../../proto/segment.js';
import type { Servers, ServersOptions } from '../../../../services/cli/servers.js';
import { ServiceClient } from '../../../../services/client/client.js';
import { DEFAULT_LIMITS } from '../../../../services/http/limits.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import {
  type AcceptedContribution,
  type ContributeOptions,
  contribute,
} from '../../../../services/institution/release/contribute.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { capturedRun } from '../../cli/captured-run.js';
import { RELEASE_MODEL } from '../../pool/releases.js';
import { type RecordingProxy, startRecordingProxy } from '../../recording-proxy.js';
import { contributionOf, createWorld, serve, type World } from '../../world.js';
import { notesOfDistinctLengths, WORDS } from '../notes.js';
import { createPublisher, encodingModelOf, type Publisher, removePublisher } from '../publisher.js';
import { encodeKept } from './encode-kept.js';

const NOTES = notesOfDistinctLengths(20);
const LABELS = { labelScheme: { digest: 'a'.repeat(64), labels: ['O'] } };

describe('contributing', () => {
  let publisher: Publisher;
  let model: EncodingModel;
  let world: World;
  let servers: Servers;
  let proxy: RecordingProxy;
  let home: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    model = await encodingModelOf(publisher);
  });
  beforeEach(async () => {
    world = await createWorld();
    servers = await serve(world);
    proxy = await startRecordingProxy(servers.addresses.pool ?? '');
    home = await mkdtemp(join(tmpdir(), 'tacet-home-'));
    await encodeKept(NOTES, model, home, { segmentBytes: 1500 });
  });
  afterEach(async () => {
    await proxy.close();
    await servers.close();
    world.remove();
    await rm(home, { recursive: true });
  });
  afterAll(() => removePublisher(publisher));

  const give = (changes: Partial<ContributeOptions> = {}) =>
    contribute(home, {
      pool: new ServiceClient({ baseUrl: proxy.url, token: world.tokens.institution }),
      privateKey: world.keys.institution,
      institution: 'institution',
      terms: 'tests',
      ...changes,
    });
  const startedAnew = async (options: Partial<ServersOptions> = {}) => {
    await servers.close();
    servers = await serve(world, options);
    await proxy.close();
    proxy = await startRecordingProxy(servers.addresses.pool ?? '');
    return give;
  };
  const held = (): Promise<Contribution[]> =>
    new ServiceClient({ baseUrl: proxy.url, token: world.tokens.admin }).json(
      'GET',
      '/v1/contributions',
    );
  const segments = async () =>
    (await readdir(join(home, 'outbox'))).filter((name) => name.endsWith('.segment'));

  test('gives the pool all of the outbox, signed, and empties it', async () => {
    const names = await segments();
    const accepted = await give();
    expect(accepted).toMatchObject([
      { model: model.digest, segments: names.length, sentences: 20 },
    ]);
    expect(await held()).toMatchObject([{ id: accepted[0]?.id, sentences: 20 }]);
    expect(await segments()).toEqual([]);
    expect(await give()).toEqual([]);
  });

  test('resumes when the connection breaks in the middle of an upload', async () => {
    proxy.breakAt('PATCH', 'request');
    expect(await give()).toMatchObject([{ sentences: 20 }]);
    expect(await held()).toHaveLength(1);
  });

  test('counts once what the pool accepted while its answer was lost', async () => {
    proxy.breakAt('POST /v1/contributions', 'answer');
    await expect(give()).rejects.toMatchObject({ code: 'server-unreachable' });
    const before = await held();
    expect(before).toHaveLength(1);
    expect(await give()).toMatchObject([{ id: before[0]?.id }]);
    expect(await held()).toHaveLength(1);
    expect(await segments()).toEqual([]);
  });

  test('keeps bytes and signature while no pool answers, and sends the same ones later', async () => {
    const before = await Promise.all(
      (await segments()).map((name) => readFile(join(home, 'outbox', name))),
    );
    const nowhere = new ServiceClient({ baseUrl: 'http://127.0.0.1:1', token: 'none' });
    await expect(give({ pool: nowhere })).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(await segments()).toHaveLength(before.length);
    await give();
    const [{ id } = { id: '' }] = await held();
    const kept = (await servers.store.contributions.segmentsOf(id)).map(({ digest }) => digest);
    expect(kept).toHaveLength(before.length);
    for (const bytes of before) expect(proxy.sent.includes(bytes)).toBe(true);
  });

  test('stops when asked to, and goes on with what is left', async () => {
    const controller = new AbortController();
    const stopped = give({
      signal: controller.signal,
      progress: () => controller.abort(new Error('interrupted')),
    });
    await expect(stopped).rejects.toThrow('interrupted');
    expect(await held()).toEqual([]);
    expect(await give()).toMatchObject([{ sentences: 20 }]);
  });

  test('signs anew where the pool did not know the key', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    await expect(give({ privateKey })).rejects.toMatchObject({ code: 'key-untrusted' });
    expect(await give()).toMatchObject([{ sentences: 20 }]);
  });

  test('does not sign anew under a later key what the pool accepted under the one before', async () => {
    proxy.breakAt('POST /v1/contributions', 'answer');
    await expect(give()).rejects.toMatchObject({ code: 'server-unreachable' });
    const [{ id, sentences } = { id: '', sentences: 0 }] = await held();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { identities } = servers.store;
    await identities.approve(
      (await identities.request('institution', rawPublicKey(publicKey))).keyId,
    );
    expect(await give({ privateKey })).toMatchObject([{ id, sentences }]);
    expect(await held()).toHaveLength(1);
    expect(await segments()).toEqual([]);
  });

  test('takes the word of a pool alone that it lacks a contribution', async () => {
    proxy.breakAt('POST /v1/contributions', 'answer');
    await expect(give()).rejects.toMatchObject({ code: 'server-unreachable' });
    const [{ id } = { id: '' }] = await held();
    const { privateKey } = generateKeyPairSync('ed25519');
    const baseUrl = servers.addresses.registry ?? '';
    const registry = new ServiceClient({ baseUrl, token: world.tokens.institution });
    await expect(give({ privateKey, pool: registry })).rejects.toMatchObject({
      code: 'route-unknown',
    });
    expect(await give()).toMatchObject([{ id }]);
  });

  test('is told of a registry that it is no pool', async () => {
    const baseUrl = servers.addresses.registry ?? '';
    const registry = new ServiceClient({ baseUrl, token: world.tokens.institution });
    await expect(give({ pool: registry })).rejects.toMatchObject({
      code: 'route-unknown',
      message: expect.stringContaining('is the registry and no pool; give the address of the pool'),
    });
    expect(await give()).toMatchObject([{ sentences: 20 }]);
  });

  const sizes = async () => {
    const ledger = await Ledger.open(home);
    const rows = ledger.segments.pending();
    ledger.close();
    return new Map(rows.map(({ digest, sentences }) => [digest, sentences]));
  };

  test('does not send a segment that changed on the disk, and gives the others, though all were signed together', async () => {
    const nowhere = new ServiceClient({ baseUrl: 'http://127.0.0.1:1', token: 'none' });
    await expect(give({ pool: nowhere })).rejects.toMatchObject({ code: 'server-unreachable' });
    const waiting = await sizes();
    const [[digest, sentences] = ['', 0]] = [...waiting].slice(1);
    const file = join(home, 'outbox', `${digest}.segment`);
    const bytes = await readFile(file);
    await writeFile(file, 'something else');
    const refused = {
      code: 'digest-mismatch',
      message: expect.stringMatching(
        `^1 segment was not accepted and stays.* ${digest}: digest-mismatch: .*tacet home drop ${home} SEGMENT$`,
      ),
    };
    const accepted: AcceptedContribution[] = [];
    const onAccepted = (contribution: AcceptedContribution) => accepted.push(contribution);
    await expect(give({ onAccepted })).rejects.toMatchObject(refused);
    expect(accepted).toMatchObject([{ segments: waiting.size - 1, sentences: 20 - sentences }]);
    expect(proxy.sent.includes('something else')).toBe(false);
    await encodeKept(notesOfDistinctLengths(25), model, home);
    await expect(give()).rejects.toMatchObject(refused);
    expect(await held()).toMatchObject([{}, { sentences: 5 }]);
    await writeFile(file, bytes);
    expect(await give()).toMatchObject([{ segments: 1, sentences }]);
  });

  test('gives everything else where the pool refuses a model, and says of each segment why', async () => {
    const revoked = ['c', 'd', 'e'].map((letter) => letter.repeat(64));
    const { models } = servers.store;
    for (const [i, digest] of revoked.entries()) {
      await encodeKept(notesOfDistinctLengths(25 + 5 * i), { ...model, digest }, home);
      const known = { digest, name: `broken-${i}`, version: '1.0.0', publisher: 'provider' };
      await models.publish({ ...known, files: {}, manifest: { ...RELEASE_MODEL, ...LABELS } });
      await models.setStatus(known.name, '1.0.0', 'revoked', 'it leaks names');
    }
    await expect(give()).rejects.toMatchObject({
      code: 'model-revoked',
      message: expect.stringMatching(
        /^3 segments were not accepted and stay(.*[0-9a-f]{64}: model-revoked: broken-\d 1\.0\.0 .*it leaks names){3}/,
      ),
    });
    expect(await held()).toMatchObject([{ model: model.digest, sentences: 20 }]);
    expect(await segments()).toHaveLength(3);
  });

  test('gives the rest of a contribution of which the pool refuses one segment', async () => {
    const waiting = await sizes();
    const [[digest, sentences] = ['', 0]] = [...waiting].slice(1);
    const bytes = await readFile(join(home, 'outbox', `${digest}.segment`));
    const pool = new ServiceClient({ baseUrl: proxy.url, token: world.tokens.institution });
    await pool.upload(bytes, { digest, kind: 'segment' });
    const { modelDigest, labelSchemeDigest } = readSegment(bytes).header;
    const of = { model: modelDigest, labelScheme: labelSchemeDigest };
    const before = contributionOf([bytes], world.keys.institution, of);
    await pool.json('POST', '/v1/contributions', before);
    await expect(give()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        `^1 segment was not accepted.* ${digest}: conflict: segment ${digest} belongs to another`,
      ),
    });
    expect(await held()).toMatchObject([{ sentences }, { sentences: 20 - sentences }]);
    expect(await segments()).toEqual([`${digest}.segment`]);
  });

  test('gives what a quota has room for, and the rest once there is more', async () => {
    const few = await startedAnew({ limits: { ...DEFAULT_LIMITS, quotaBytes: 2500 } });
    await expect(few()).rejects.toMatchObject({ code: 'quota-exceeded' });
    const [{ sentences } = { sentences: 0 }] = await held();
    expect(sentences).toBeGreaterThan(0);
    const more = await startedAnew();
    const rest = { sentences: 20 - sentences, terms: 'tests' };
    expect(await more({ terms: undefined })).toMatchObject([rest]);
  });

  test('knows a contribution again that was accepted while its answer was lost, though its segments changed since', async () => {
    proxy.breakAt('POST /v1/contributions', 'answer');
    await expect(give()).rejects.toMatchObject({ code: 'server-unreachable' });
    for (const name of await segments()) await writeFile(join(home, 'outbox', name), 'else');
    expect(await give()).toMatchObject([{ sentences: 20 }]);
    expect(await segments()).toEqual([]);
  });

  const termsAt = async () => {
    const [{ id } = { id: '' }] = await held();
    return (await servers.store.contributions.manifestOf(id)).terms;
  };

  test.each([
    ['the terms that are named now', { terms: 'teaching' }, 'teaching'],
    ['those that were named before, where none are', { terms: undefined }, 'tests'],
  ])('signs what no pool accepted with %s', async (_, now, terms) => {
    const institution = 'another';
    await expect(give({ institution })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await give(now)).toMatchObject([{ sentences: 20, terms }]);
    expect(await termsAt()).toBe(terms);
    expect(await held()).toHaveLength(1);
  });

  test('does not sign anew otherwise what the pool may yet accept, and gives it as it was signed', async () => {
    proxy.breakAt('POST /v1/contributions', 'request');
    await expect(give()).rejects.toMatchObject({ code: 'server-unreachable' });
    for (const otherwise of [{ terms: 'teaching' }, { institution: 'another' }])
      await expect(give(otherwise)).rejects.toMatchObject({
        code: 'outcome-unknown',
        message: expect.stringMatching(
          /^whether the pool accepted \d+ of the segments is not known: .* by institution with the terms 'tests'.*without --terms/,
        ),
      });
    expect(await held()).toEqual([]);
    expect(await give({ terms: undefined })).toMatchObject([{ sentences: 20, terms: 'tests' }]);
  });

  test('does not sign anew with other terms what the pool accepted, and says with which it did', async () => {
    proxy.breakAt('POST /v1/contributions', 'answer');
    await expect(give()).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(await give({ terms: 'teaching' })).toMatchObject([{ sentences: 20, terms: 'tests' }]);
    expect(await held()).toHaveLength(1);
    expect(await termsAt()).toBe('tests');
  });

  test('contributes what was encoded since as a contribution of its own', async () => {
    await give();
    await encodeKept(notesOfDistinctLengths(25), model, home);
    expect(await give()).toMatchObject([{ sentences: 5 }]);
    expect(await held()).toHaveLength(2);
  });

  const command = async () => {
    const key = join(home, 'private.pem');
    const pem = world.keys.institution.export({ type: 'pkcs8', format: 'pem' });
    await writeFile(key, pem, { mode: 0o600 });
    await writeFile(join(home, 'token'), `${world.tokens.institution}\n`, { mode: 0o600 });
    const pool = ['--pool', proxy.url, '--token-file', join(home, 'token')];
    return { pool, given: ['contribute', '--home', home, '--key', key, ...pool] };
  };

  test('by command finds the name of the key at the pool, and withdraws by the id it printed', async () => {
    const { pool, given } = await command();
    const { exit, stdout } = await capturedRun('--json', ...given);
    expect(exit).toBe(0);
    const { id } = JSON.parse(stdout).contributions[0];
    expect(await capturedRun('withdraw', id, ...pool)).toMatchObject({ exit: 0 });
    expect(await held()).toMatchObject([{ id, withdrawn: expect.any(String) }]);
  });

  test('by command prints what was accepted beside what was refused, and terms that are others', async () => {
    const { given } = await command();
    const [name = '', ...others] = await segments();
    const file = join(home, 'outbox', name);
    const bytes = await readFile(file);
    await writeFile(file, 'something else');
    expect(await capturedRun(...given)).toMatchObject({
      exit: 3,
      stdout: expect.stringMatching(/^contribution [0-9a-f]{64}: \d+ sentences.* bytes\n$/),
      stderr: expect.stringMatching(`digest-mismatch: 1 segment was not.*${name.slice(0, 64)}`),
    });
    expect(others.length).toBeGreaterThan(0);
    await writeFile(file, bytes);
    proxy.breakAt('POST /v1/contributions', 'answer');
    expect(await capturedRun(...given, '--terms', 'tests')).toMatchObject({ exit: 1 });
    expect(await capturedRun(...given, '--terms', 'teaching')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("accepted it before, with the terms 'tests'"),
    });
  });
});
