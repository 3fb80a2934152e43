import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import type { Role } from '../../../pool-store/members/tokens.js';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import { encodeSentence } from '../../../proto/encoded-sentence.js';
import { readSegment, writeSegment } from '../../../proto/segment.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { sentenceOf, shape } from '../../proto/encoded-sentences.js';
import { segmentOfFirstFormat } from '../../proto/first-format.js';
import { startRecordingProxy } from '../recording-proxy.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

let world: World;
let servers: Servers;
const as = (role: Role) =>
  new ServiceClient({ baseUrl: servers.addresses.pool ?? '', token: world.tokens[role] });
const coded = (code: string) => expect.objectContaining({ code });

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

async function upload(segment: Uint8Array): Promise<void> {
  await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
}

async function contribute(...segments: Uint8Array[]): Promise<Contribution> {
  for (const segment of segments) await upload(segment);
  const envelope = contributionOf(segments, world.keys.institution);
  return as('institution').json('POST', '/v1/contributions', envelope);
}

async function readAll(snapshot: string, seed: number): Promise<string[]> {
  const { sentences } = await as('consumer').sentences(snapshot, { seed });
  const found: string[] = [];
  for await (const sentence of sentences()) found.push(keyOf(encodeSentence(sentence)));
  return found;
}

const keyOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const keysOf = (segment: Uint8Array) =>
  [...readSegment(segment).sentences()].map((sentence) => keyOf(encodeSentence(sentence)));

describe('a pool', () => {
  test('keeps what an institution gave and shows it to its readers', async () => {
    const segments = [segmentOf(5, 1), segmentOf(7, 2)];
    const { id, sentences, tokens } = await contribute(...segments);
    expect({ sentences, tokens }).toEqual({ sentences: 12, tokens: 72 });
    const shown = await as('consumer').json<{ segments: { digest: string }[] }>(
      'GET',
      `/v1/contributions/${id}`,
    );
    expect(shown.segments.map(({ digest }) => digest)).toEqual(segments.map(sha256).sort());
  });

  test('takes the same contribution twice as once', async () => {
    const segment = segmentOf(3, 3);
    const first = await contribute(segment);
    const again = await contribute(segment);
    expect(again).toEqual(first);
  });

  test('gives the rest of a snapshot to who asks for it from a byte on', async () => {
    await contribute(segmentOf(300, 30));
    const { id } = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', {});
    const read = (format: string, headers: Record<string, string> = {}) =>
      fetch(`${servers.addresses.pool}/v1/snapshots/${id}/sentences?format=${format}&seed=3`, {
        headers: { Authorization: `Bearer ${world.tokens.consumer}`, ...headers },
      });
    for (const format of ['protobuf', 'arrow', 'ndjson']) {
      const response = await read(format);
      const tag = response.headers.get('etag') ?? '';
      const whole = Buffer.from(await response.arrayBuffer());
      for (const start of [1, 1000, whole.length - 1]) {
        const rest = await read(format, { Range: `bytes=${start}-`, 'If-Range': tag });
        expect(rest.status).toBe(206);
        expect(rest.headers.get('content-range')).toBe(
          `bytes ${start}-${whole.length - 1}/${whole.length}`,
        );
        expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(start))).toBe(true);
      }
      expect((await read(format, { Range: 'bytes=5-', 'If-Range': '"other"' })).status).toBe(200);
      expect((await read(format, { Range: `bytes=${whole.length}-` })).status).toBe(416);
    }
  });

  test('is read to the end by a client whose connection broke', async () => {
    const { id } = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', {});
    const whole = await readAll(id, 5);
    const proxy = await startRecordingProxy(servers.addresses.pool ?? '');
    const client = new ServiceClient({ baseUrl: proxy.url, token: world.tokens.consumer });
    proxy.cutAnswersAfter(5000);
    const { sentences } = await client.sentences(id, { seed: 5 });
    const found: string[] = [];
    for await (const sentence of sentences()) found.push(keyOf(encodeSentence(sentence)));
    expect(found).toEqual(whole);
    expect(proxy.sent.toString('latin1')).toMatch(/range: bytes=\d+-/i);
    await proxy.close();
  });

  test('refuses vectors that were given before, in another segment or twice in one', async () => {
    const [one, two] = [segmentOf(200, 20), segmentOf(200, 21)];
    await contribute(one);
    const mixed = writeSegment(shape, [
      ...readSegment(two).sentences(),
      ...readSegment(one).sentences(),
    ]);
    await expect(contribute(mixed)).rejects.toThrow(`repeats vectors of segment ${sha256(one)}`);
    const twice = [...readSegment(segmentOf(200, 22)).sentences()];
    await expect(contribute(writeSegment(shape, [...twice, ...twice]))).rejects.toThrow(/repeats/);
    const parts = [
      segmentOf(200, 23),
      writeSegment(shape, [...readSegment(segmentOf(201, 23)).sentences()]),
    ];
    await expect(contribute(...parts)).rejects.toThrow(/repeats/);
    await contribute(two);
  });

  test('gives a segment to one of two contributions that race for it', async () => {
    const segments = [segmentOf(3, 4), segmentOf(3, 5), segmentOf(3, 6)];
    for (const segment of segments) await upload(segment);
    const [shared, left, right] = segments;
    const outcomes = await Promise.allSettled(
      [left, right].map((own) =>
        as('institution').json(
          'POST',
          '/v1/contributions',
          contributionOf([shared, own], world.keys.institution),
        ),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([coded('conflict')]);
  });

  test.each([
    ['of segments that were not uploaded', {}, 'contribution-invalid', false],
    ['that names another institution', { institution: 'other' }, 'forbidden', true],
    ['with another count', { sentences: 4 }, 'contribution-invalid', true],
    ['with another model', { model: '00'.repeat(32) }, 'contribution-invalid', true],
    ['with another label scheme', { labelScheme: '00'.repeat(32) }, 'contribution-invalid', true],
  ])('refuses a contribution %s', async (_, changes, code, uploaded) => {
    const segment = segmentOf(3, 7);
    if (uploaded) await upload(segment);
    const envelope = contributionOf([segment], world.keys.institution, changes);
    const answer = as('institution').json('POST', '/v1/contributions', envelope);
    await expect(answer).rejects.toEqual(coded(code));
  });

  test('refuses a contribution that an unknown key signed', async () => {
    const segment = segmentOf(3, 8);
    await upload(segment);
    const { privateKey } = generateKeyPairSync('ed25519');
    const envelope = contributionOf([segment], privateKey);
    const answer = as('institution').json('POST', '/v1/contributions', envelope);
    await expect(answer).rejects.toEqual(coded('key-untrusted'));
  });

  test('adds up what it holds', async () => {
    const before = await as('admin').json<{ sentences: number }>('GET', '/v1/statistics');
    await contribute(segmentOf(9, 9));
    const after = await as('admin').json<{ sentences: number }>('GET', '/v1/statistics');
    expect(after.sentences - before.sentences).toBe(9);
  });
});

describe('a snapshot', () => {
  test('holds every sentence once, in an order that follows from the seed', async () => {
    const segment = segmentOf(200, 10);
    await contribute(segment);
    const consumer = as('consumer');
    const snapshot = await consumer.json<Snapshot>('POST', '/v1/snapshots', {});
    const again = await consumer.json<Snapshot>('POST', '/v1/snapshots', {
      model: shape.modelDigest,
    });
    expect(again).toEqual(snapshot);

    const first = await readAll(snapshot.id, 1);
    expect(await readAll(snapshot.id, 1)).toEqual(first);
    const second = await readAll(snapshot.id, 2);
    expect(second).not.toEqual(first);
    expect([...second].sort()).toEqual([...first].sort());
    expect(first).toHaveLength(snapshot.sentenceCount);
    expect(first).toEqual(expect.arrayContaining(keysOf(segment)));
  });

  test('leaves the casing behind that a segment of format 1 has in clear, and its contribution says so', async () => {
    const sentences = Array.from({ length: 4 }, (_, i) => sentenceOf(3 + i, 900 + i));
    const { id, casingInClear } = await contribute(segmentOfFirstFormat(shape, sentences));
    expect(casingInClear).toBe(true);
    expect((await contribute(segmentOf(2, 950))).casingInClear).toBe(false);
    const snapshot = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', {});
    expect(await readAll(snapshot.id, 1)).toEqual(
      expect.arrayContaining(sentences.map((sentence) => keyOf(encodeSentence(sentence)))),
    );
    await as('institution').json('DELETE', `/v1/contributions/${id}`);
  });

  test('comes in the format that the query or else the Accept header names', async () => {
    const { id } = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', {});
    const typeFor = async (accept: string, query = '') => {
      const url = `${servers.addresses.pool}/v1/snapshots/${id}/sentences${query}`;
      const headers = { Authorization: `Bearer ${world.tokens.consumer}`, Accept: accept };
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      return response.headers.get('content-type');
    };
    const [segment, arrow, lines] = ['vnd.tacet.segment', 'vnd.apache.arrow.stream', 'x-ndjson'];
    expect(await typeFor('*/*')).toMatch(segment);
    expect(await typeFor(`application/${arrow}`)).toMatch(arrow);
    expect(await typeFor(`application/${arrow};q=0.5, application/${lines}`)).toMatch(lines);
    expect(await typeFor(`application/${arrow}`, '?format=ndjson')).toMatch(lines);
    expect(await typeFor('text/html')).toMatch('problem+json');
  });

  test('is not read by more at a time than the limit says', async () => {
    const other = await createWorld();
    const strict = await serve(other, { limits: { ...DEFAULT_LIMITS, readings: 0 } });
    const segment = segmentOf(3, 1);
    const baseUrl = strict.addresses.pool ?? '';
    const giver = new ServiceClient({ baseUrl, token: other.tokens.institution });
    await giver.upload(segment, { digest: sha256(segment), kind: 'segment' });
    const envelope = contributionOf([segment], other.keys.institution);
    await giver.json('POST', '/v1/contributions', envelope);
    const reader = new ServiceClient({ baseUrl, token: other.tokens.consumer });
    const { id } = await reader.json<Snapshot>('POST', '/v1/snapshots', {});
    await expect(reader.sentences(id, { seed: 1 })).rejects.toEqual(coded('rate-limited'));
    await strict.close();
    other.remove();
  });

  test('is read as lines of JSON too, in the same order', async () => {
    const consumer = as('consumer');
    const { id, sentenceCount } = await consumer.json<Snapshot>('POST', '/v1/snapshots', {});
    const stream = await consumer.stream(`/v1/snapshots/${id}/sentences?format=ndjson&seed=3`);
    let text = '';
    for await (const chunk of stream) text += Buffer.from(chunk).toString();
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(sentenceCount);
    const { sentences } = await consumer.sentences(id, { seed: 3 });
    const labels: number[][] = [];
    for await (const sentence of sentences()) labels.push([...sentence.labels]);
    expect(lines.map((line) => line.labels)).toEqual(labels);
    expect(lines[0].vectors[0]).toHaveLength(shape.dimension);
  });

  test('remembers which training runs used it, once each', async () => {
    const { id } = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', {});
    const path = `/v1/snapshots/${id}/runs`;
    expect(await as('auditor').json('GET', path)).toEqual([]);
    const run = { run: 'ef'.repeat(32), name: 'pooled', version: '1.0.0' };
    const first = await as('consumer').json('POST', path, run);
    expect(first).toEqual(expect.objectContaining({ ...run, trainer: 'consumer' }));
    expect(await as('consumer').json('POST', path, run)).toEqual(first);
    expect(await as('auditor').json('GET', path)).toEqual([first]);
    const nowhere = `/v1/snapshots/${'ab'.repeat(32)}/runs`;
    await expect(as('consumer').json('POST', nowhere, run)).rejects.toEqual(coded('not-found'));
  });

  test('of nothing is refused', async () => {
    const answer = as('consumer').json('POST', '/v1/snapshots', { institutions: ['nobody'] });
    await expect(answer).rejects.toEqual(coded('not-found'));
  });

  test('answers withdrawn once a contribution in it was, and the bytes are gone', async () => {
    const segment = segmentOf(4, 11);
    const { id } = await contribute(segment);
    const consumer = as('consumer');
    const snapshot = await consumer.json<Snapshot>('POST', '/v1/snapshots', {});
    await as('institution').json('DELETE', `/v1/contributions/${id}`);

    const path = `/v1/snapshots/${snapshot.id}`;
    await expect(consumer.json('GET', path)).rejects.toEqual(coded('withdrawn'));
    await expect(readAll(snapshot.id, 1)).rejects.toEqual(coded('withdrawn'));
    await expect(consumer.download(sha256(segment))).rejects.toEqual(coded('withdrawn'));
    expect(await servers.store.blobs.size(sha256(segment))).toBeUndefined();

    const next = await consumer.json<Snapshot>('POST', '/v1/snapshots', {});
    expect(next.segments).not.toContain(sha256(segment));
    await expect(upload(segment)).rejects.toEqual(coded('withdrawn'));
  });
});
