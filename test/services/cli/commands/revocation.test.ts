import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { stateFolder } from '../../../../platform/user-folders.js';
import { notesOfPairs, WORDS } from '../../institution/notes.js';
import {
  cacheOf,
  createPublisher,
  type Publisher,
  removePublisher,
} from '../../institution/publisher.js';
import { sha256 } from '../../world.js';
import { capturedRun } from '../captured-run.js';

describe('a model that is used without naming a registry', () => {
  let publisher: Publisher;
  let root: string;
  let registry: Server;
  let url: string;
  let status: 'published' | 'revoked';
  const before = { ...process.env };
  beforeEach(async () => {
    publisher = await createPublisher(WORDS);
    root = await mkdtemp(join(tmpdir(), 'tacet-revocation-'));
    process.env.TACET_CACHE = cacheOf(publisher.root);
    await rm(join(stateFolder(), 'models'), { recursive: true, force: true });
    const lines = notesOfPairs().map((note) => `${JSON.stringify(note)}\n`);
    await writeFile(join(root, 'notes.jsonl'), lines.join(''));
    const digests = await Promise.all(
      [publisher.representation, publisher.pipeline].map(async (bundle) =>
        sha256(await readFile(join(bundle, 'manifest.json'))),
      ),
    );
    status = 'published';
    registry = createServer(({ url: path = '' }, response) => {
      const digest = digests[path.includes('pipeline') ? 1 : 0];
      const reason = status === 'revoked' ? 'it leaks names' : null;
      const [, , , name, version] = path.split('/');
      const model = { name, version, digest, publisher: 'us', status, reason };
      response.end(JSON.stringify(path.includes('/audits') ? [] : model));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    process.env = { ...before };
    await silence();
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  const silence = () => new Promise((resolve) => registry.close(resolve));
  const using = () => [
    ...['--trust', publisher.publicKeyFile, '--embeddings', publisher.embeddingsFile],
  ];
  const encode = (...more: string[]) =>
    capturedRun(
      ...['encode', join(root, 'notes.jsonl'), '--model', publisher.representation],
      ...[...using(), '--new-home', join(root, 'home'), '--dry-run', '--without-phi', ...more],
    );
  /** The folder of its pipeline, as one that is ready has it. */
  const readyPipeline = async ({ pipeline, publicKeyFile, embeddingsFile }: Publisher) => {
    const folder = join(root, 'ready');
    await mkdir(folder);
    const stated = {
      format: 'tacet-ready-pipeline-1',
      bundle: relative(folder, pipeline),
      publisher: relative(folder, publicKeyFile),
      embeddings: embeddingsFile,
    };
    await writeFile(join(folder, 'pipeline.json'), JSON.stringify(stated));
    return folder;
  };
  let outputs = 0;
  const deidentify = (...more: string[]) =>
    capturedRun(
      ...['deidentify', join(root, 'notes.jsonl'), join(root, `out-${outputs++}`)],
      ...['--model', publisher.pipeline, ...using(), ...more],
    );
  const revoked = { exit: 4, stderr: expect.stringMatching(/model-revoked.*it leaks names/) };

  test('says that nobody was asked where no registry is known', async () => {
    const unasked = { exit: 0, stderr: expect.stringContaining('no registry is known') };
    expect(await encode()).toMatchObject(unasked);
    expect(await deidentify()).toMatchObject(unasked);
  });

  test('is asked about where it came from, and refused once it is revoked', async () => {
    for (const command of [encode, deidentify]) {
      status = 'published';
      expect(await command('--registry', url)).toMatchObject({ exit: 0 });
      const { exit, stderr } = await command();
      expect([exit, stderr]).toEqual([0, expect.not.stringContaining('no registry is known')]);
      status = 'revoked';
      expect(await command()).toMatchObject(revoked);
    }
  });

  test('of several that decide together the one that is named is asked about where it is said, others where they came from', async () => {
    const own = await createPublisher(WORDS);
    const folder = await readyPipeline(own);
    try {
      const { exit, stderr } = await deidentify('--registry', url, '--beside', folder);
      expect([exit, stderr]).toEqual([0, expect.stringContaining('no registry is known')]);
      status = 'revoked';
      expect(await deidentify('--registry', url, '--beside', folder)).toMatchObject(revoked);
    } finally {
      await removePublisher(own);
    }
  });

  describe('with a token for another server', () => {
    const tokenFile = async (name: string) => {
      const file = join(root, name);
      await writeFile(file, `${name}-secret`, { mode: 0o600 });
      return file;
    };
    const seen = () => {
      const tokens: (string | undefined)[] = [];
      registry.on('request', ({ headers }) => tokens.push(headers.authorization));
      return tokens;
    };

    test('sends it to no registry but the one that is named beside it, and remembers that one’s alone', async () => {
      const own = await tokenFile('own');
      const others = await tokenFile('others');
      const tokens = seen();
      await encode('--registry', url, '--token-file', own);
      expect(new Set(tokens)).toEqual(new Set(['Bearer own-secret']));
      tokens.length = 0;
      for (const command of [encode, deidentify]) {
        await encode('--token-file', others);
        process.env.TACET_TOKEN = 'a-token-of-another-server';
        await command();
        delete process.env.TACET_TOKEN;
      }
      await encode();
      expect(tokens.length).toBeGreaterThan(0);
      expect(
        tokens.filter((token) => token !== undefined && token !== 'Bearer own-secret'),
      ).toEqual([]);
      expect(tokens).toContain('Bearer own-secret');
    });

    test('sends what is remembered for one registry to no other that is named without a token', async () => {
      await encode('--registry', url, '--token-file', await tokenFile('own'));
      const tokens: (string | undefined)[] = [];
      const other = createServer((request, response) => {
        tokens.push(request.headers.authorization);
        registry.emit('request', request, response);
      });
      await once(other.listen(0, '127.0.0.1'), 'listening');
      try {
        const { port } = other.address() as AddressInfo;
        expect(await encode('--registry', `http://127.0.0.1:${port}`)).toMatchObject({ exit: 0 });
        expect(await encode()).toMatchObject({ exit: 0 });
        expect(tokens.length).toBeGreaterThan(1);
        expect(tokens.every((token) => token === undefined)).toBe(true);
      } finally {
        other.close();
      }
    });

    test('sends it to no registry of a pipeline beside the one that it is for', async () => {
      const [theirs, ours] = [await tokenFile('theirs'), await tokenFile('ours')];
      const folder = await readyPipeline(publisher);
      await deidentify('--registry', url, '--token-file', theirs);
      const tokens = seen();
      const first = await createPublisher(WORDS);
      const digest = sha256(await readFile(join(first.pipeline, 'manifest.json')));
      const elsewhere = createServer(({ url: path = '' }, response) => {
        const [, , , name, version] = path.split('/');
        const model = { name, version, digest, publisher: 'us', status: 'published', reason: null };
        response.end(JSON.stringify(path.includes('/audits') ? [] : model));
      });
      await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
      try {
        const { port } = elsewhere.address() as AddressInfo;
        const { exit } = await capturedRun(
          ...['deidentify', join(root, 'notes.jsonl'), join(root, 'beside-out')],
          ...['--model', first.pipeline, '--embeddings', first.embeddingsFile],
          ...['--trust', first.publicKeyFile, '--beside', folder],
          ...['--registry', `http://127.0.0.1:${port}`, '--token-file', ours],
        );
        expect(exit).toBe(0);
        expect(new Set(tokens)).toEqual(new Set(['Bearer theirs-secret']));
        tokens.length = 0;
        await deidentify();
        expect(new Set(tokens)).toEqual(new Set(['Bearer theirs-secret']));
      } finally {
        elsewhere.close();
        await removePublisher(first);
      }
    });
  });

  test('says how old the answer is where the registry is silent, unless a policy demands one', async () => {
    await encode('--registry', url);
    await silence();
    expect(await encode()).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/gave no answer \(server-unreachable\).*0 minutes ago/),
    });
    const policy = { publisherKeys: [publisher.publicKeyFile], maxReleases: 1, minDocuments: 1 };
    const file = join(root, 'policy.json');
    await writeFile(file, JSON.stringify({ ...policy, requireRevocationCheck: true }));
    const demanding = await capturedRun(
      ...['encode', join(root, 'notes.jsonl'), '--model', publisher.representation],
      ...['--policy', file, '--embeddings', publisher.embeddingsFile],
      ...['--new-home', join(root, 'home'), '--dry-run'],
    );
    expect(demanding).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('revocation-unknown'),
    });
  });

  test('stays revoked where the registry is silent afterwards', async () => {
    await encode('--registry', url);
    status = 'revoked';
    expect(await encode()).toMatchObject(revoked);
    await silence();
    expect(await encode()).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('model-revoked'),
    });
  });
});
