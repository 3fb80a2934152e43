import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EncoderProcess, startEncoder } from '../encoder/encoder-process.js';
import {
  cacheOf,
  createPublisher,
  type Publisher,
  removePublisher,
} from '../institution/publisher.js';
import { selfSigned } from '../self-signed.js';
import { capturedRun } from './captured-run.js';

const SERVE = ['encoder', 'serve', '--log-level', 'warn'];
const TOKEN = 'a-token-of-more-than-sixteen';

describe('tacet encoder serve on an address that others can reach', () => {
  const tls = selfSigned();
  let publisher: Publisher;
  let running: EncoderProcess | undefined;
  const at = (name: string) => join(publisher.root, name);

  beforeAll(async () => {
    publisher = await createPublisher(['word']);
    writeFileSync(at('access.token'), TOKEN, { mode: 0o600 });
    writeFileSync(at('chain.pem'), tls.cert);
    writeFileSync(at('key.pem'), tls.key, { mode: 0o600 });
  });
  afterAll(async () => {
    running?.child.kill('SIGKILL');
    await removePublisher(publisher);
  });

  const options = () => [
    ...['--host', '0.0.0.0', '--port', '0'],
    ...['--new-home', at('home'), '--model', publisher.representation],
    ...['--trust', publisher.publicKeyFile, '--embeddings', publisher.embeddingsFile],
  ];
  const access = () => ['--access', at('access.token')];
  const certificate = () => ['--tls-certificate', at('chain.pem'), '--tls-key', at('key.pem')];

  test.each<[string, () => string[], RegExp]>([
    ['without a token', () => certificate(), /^tacet: usage: .*--access/],
    ['in clear', () => access(), /^tacet: usage: .*in clear; give --tls-certificate/],
    [
      'with a threshold of a second reading that is not asked for',
      () => [...access(), ...certificate(), '--reader-threshold', '0.2'],
      /^tacet: usage: --reader-threshold: .*--suspects/,
    ],
    [
      'with a folder of notes that is not there',
      () => [...access(), ...certificate(), '--input', at('none')],
      /^tacet: file-not-found: .*none/,
    ],
    [
      'with a file in the place of a folder of notes',
      () => [...access(), ...certificate(), '--input', at('access.token')],
      /^tacet: file-unreadable: --input .*access\.token: expected a folder/,
    ],
    [
      'with a certificate that has no key',
      () => [...access(), ...certificate().slice(0, 2)],
      /^tacet: config-invalid: .*together/,
    ],
    [
      'with a certificate that is not there',
      () => [...access(), '--tls-certificate', at('none.pem'), '--tls-key', at('key.pem')],
      /^tacet: file-not-found: .*none\.pem/,
    ],
  ])('is refused %s', async (_, given, message) => {
    const { exit, stdout, stderr } = await capturedRun(...SERVE, ...options(), ...given());
    expect([exit === 0, stdout]).toEqual([false, '']);
    expect(stderr).toMatch(message);
  });

  test('is encrypted, and asks for the token', async () => {
    const given = [...options(), ...access(), ...certificate()];
    running = await startEncoder(given, { TACET_CACHE: cacheOf(publisher.root) });
    const { url: encoder } = running;
    expect(encoder).toMatch(/^https:\/\/0\.0\.0\.0:\d+$/);
    const { port } = new URL(encoder);
    const ask = (path: string, headers: Record<string, string> = {}) =>
      new Promise<number | undefined>((resolve, reject) => {
        const target = { host: '127.0.0.1', port, path, headers, ca: tls.cert };
        request(target, (response) => resolve(response.resume().statusCode))
          .once('error', reject)
          .end();
      });
    expect(await ask('/readyz')).toBe(200);
    expect(await ask('/v1/jobs')).toBe(401);
    expect(await ask('/v1/jobs', { Authorization: `Bearer ${TOKEN}` })).toBe(200);
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow();
  }, 60_000);
});

describe('tacet encoder serve --presidio', () => {
  let publisher: Publisher;
  beforeAll(async () => {
    publisher = await createPublisher(['word']);
  });
  afterAll(() => removePublisher(publisher));

  const options = () => [
    '--presidio',
    ...['--new-home', join(publisher.root, 'presidio-home'), '--model', publisher.representation],
    ...['--trust', publisher.publicKeyFile, '--embeddings', publisher.embeddingsFile],
  ];

  test('takes the port that PORT names, as a container of Presidio does', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await new Promise((resolve) => taken.close(resolve));
    const environment = { PORT: `${port}`, TACET_CACHE: cacheOf(publisher.root) };
    const { child } = await startEncoder(options(), environment);
    try {
      const health = await fetch(`http://127.0.0.1:${port}/health`);
      expect(await health.text()).toBe('Presidio Analyzer service is up');
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('refuses a PORT that is none', async () => {
    const before = process.env.PORT;
    process.env.PORT = 'http';
    try {
      const { exit, stderr } = await capturedRun(...SERVE, ...options());
      expect([exit, stderr]).toEqual([2, expect.stringMatching(/config-invalid: PORT: expected/)]);
    } finally {
      if (before === undefined) delete process.env.PORT;
      else process.env.PORT = before;
    }
  });
});

describe('a command that sends a token', () => {
  const CLEAR = /^warning: http:\/\/\S+ is not encrypted: .*token/m;
  const asks = (url: string): (readonly string[])[] => [
    ['model', 'list', '--registry', url],
    ['identity', 'list', '--server', url],
    ['snapshot', 'list', '--pool', url],
  ];

  test('warns before it sends it in clear to another host', async () => {
    for (const command of asks('http://tacet.invalid:7420')) {
      const { stderr } = await capturedRun(...command, '--token', TOKEN);
      expect(stderr).toMatch(CLEAR);
      expect(stderr).not.toContain(TOKEN);
      expect(stderr.indexOf('warning: ')).toBeLessThan(stderr.indexOf('server-unreachable'));
    }
  });

  test('says nothing where it stays on this machine or is encrypted, or where there is none', async () => {
    for (const url of [
      'http://127.0.0.1:9',
      'http://localhost:9',
      'http://[::1]:9',
      'https://tacet.invalid',
    ])
      for (const command of asks(url))
        expect((await capturedRun(...command, '--token', TOKEN)).stderr).not.toMatch(CLEAR);
    for (const command of asks('http://tacet.invalid'))
      expect((await capturedRun(...command)).stderr).not.toMatch(CLEAR);
  });
});

describe('tacet encoder serve under a policy that asks for a second reader', () => {
  test('is refused without a pipeline, which would be the reader', async () => {
    const publisher = await createPublisher(['word']);
    const at = (name: string) => join(publisher.root, name);
    const policy = { publisherKeys: [publisher.publicKeyFile], maxReleases: 1, minDocuments: 1 };
    writeFileSync(at('policy.json'), JSON.stringify({ ...policy, suspects: 'withhold' }));
    const { exit, stderr } = await capturedRun(
      ...[
        'encoder',
        'serve',
        '--port',
        '0',
        '--new-home',
        at('home'),
        '--policy',
        at('policy.json'),
      ],
      ...['--model', publisher.representation, '--embeddings', publisher.embeddingsFile],
    );
    await removePublisher(publisher);
    expect([exit, stderr]).toEqual([4, expect.stringMatching(/policy-otherwise: .*--pipeline/)]);
  });
});

describe('tacet encoder serve without a model', () => {
  const root = mkdtempSync(join(tmpdir(), 'tacet-ready-'));
  let running: EncoderProcess | undefined;
  afterAll(() => {
    running?.child.kill('SIGKILL');
    rmSync(root, { recursive: true });
  });
  const home = ['--new-home', join(root, 'home')];

  test('is a drop-in for containers of Presidio: the ready pipeline, their port, in clear where that is said', async () => {
    const open = ['--presidio', '--host', '0.0.0.0', '--unprotected'];
    const environment = { PORT: '0', XDG_DATA_HOME: root };
    running = await startEncoder([...home, ...open], environment);
    const { port } = new URL(running.url);
    const said = () => running?.said();
    const asked = { text: 'Call Ann Lee on 212-555-5555.', language: 'en' };
    const answer = await fetch(`http://127.0.0.1:${port}/analyze`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
    });
    const found = (await answer.json()) as { entity_type: string }[];
    expect(found.map(({ entity_type: type }) => type)).toEqual(
      expect.arrayContaining(['PERSON', 'PHONE_NUMBER']),
    );
    expect(said()).toMatch(/with the pipeline in .*pipelines.en/);
    expect(said()).toMatch(/in clear and without a token/);
    expect(said()).not.toContain('Ann');
  }, 120_000);

  test.each([
    ['two languages', ['--language', 'en', 'es'], /name one language/],
    ['word vectors alone', ['--embeddings', 'wink'], /give --model, --pipeline/],
    ['a language that none is ready for', ['--language', 'fi'], /pipeline-missing: .*'fi'/],
    ['suspects', ['--suspects', 'report'], /usage: --suspects: .*give --model too/],
    [
      'what is of encoding alone',
      [...['--entities', 'keep', '--keep', 'DATE', '--inventory', 'none.json'], '--input', root],
      /usage: --entities, --keep, --inventory, --input: nothing is encoded/,
    ],
  ])('%s are refused', async (_, given, message) => {
    const { exit, stderr } = await capturedRun(...SERVE, ...home, ...given);
    expect(exit).not.toBe(0);
    expect(stderr).toMatch(message);
  });
});
