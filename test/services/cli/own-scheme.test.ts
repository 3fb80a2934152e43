import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyFiles } from '../../../models/bundle/key-files.js';
import type { Servers } from '../../../services/cli/servers.js';
import { createWorld, serve, type World } from '../world.js';
import { capturedRun } from './captured-run.js';
import { corpusSite } from './small-corpus.js';

const PEOPLE = ['PATIENT', 'DOCTOR', 'USERNAME', 'PROFESSION'];
const PLACES = ['HOSPITAL', 'ORGANIZATION', 'STREET', 'CITY', 'STATE', 'COUNTRY', 'ZIP'];
const NUMBERS = ['DATE', 'PHONE', 'FAX', 'EMAIL', 'MEDICALRECORD', 'IDNUM', 'DEVICE'];
const to = (type: string, types: readonly string[]) =>
  Object.fromEntries(types.map((each) => [each, type]));

const SCHEME = {
  name: 'coarse',
  version: '1',
  description: 'Who, where and which.',
  types: ['WHO', 'WHERE', 'WHICH'],
  map: { ...to('WHO', PEOPLE), ...to('WHERE', PLACES), ...to('WHICH', NUMBERS), AGE: null },
};

describe('under a label scheme of one’s own', () => {
  const { at } = corpusSite(24);
  let world: World;
  let servers: Servers;
  let snapshot: string;
  beforeAll(async () => {
    world = await createWorld();
    servers = await serve(world);
    mkdirSync(at('scheme'));
    writeFileSync(at('scheme/coarse.json'), JSON.stringify(SCHEME));
  });
  afterAll(async () => {
    await servers.close();
    world.remove();
  });

  const vectors = () => ['--embeddings', at('words.vec')];
  const trusted = () => ['--trust', at('keys/public.pem'), ...vectors()];
  const pool = (role: 'provider' | 'institution' | 'consumer' | 'admin') => [
    ...['--pool', servers.addresses.pool ?? '', '--token', world.tokens[role]],
  ];
  const registry = () => [
    ...['--registry', servers.addresses.registry ?? '', '--token', world.tokens.provider],
  ];
  const succeed = async (...args: string[]): Promise<string> => {
    const { exit, stdout, stderr } = await capturedRun('--json', ...args);
    expect([args.slice(0, 2), exit, exit === 0 ? '' : stderr]).toEqual([args.slice(0, 2), 0, '']);
    return stdout;
  };
  const sign = (run: string, bundle: string, ...more: readonly string[]) =>
    succeed(
      ...['bundle', 'create', at(bundle), '--manifest', at(`${run}/manifest.json`)],
      ...['--weights', at(`${run}/weights.safetensors`), '--key', at('keys/private.pem')],
      ...more,
    );

  const enrol = async (role: 'provider' | 'institution', keys: string) => {
    await succeed(
      ...['identity', 'request', '--key', at(`${keys}/public.pem`), '--name', role],
      ...['--server', servers.addresses.pool ?? '', '--token', world.tokens[role]],
    );
    for (const { keyId, approved } of await servers.store.identities.list())
      if (approved === null) await servers.store.identities.approve(keyId);
  };

  test('training names every type of the notes that the scheme does not know', async () => {
    const { DATE: _date, PATIENT: _patient, ...map } = SCHEME.map as Record<string, string | null>;
    writeFileSync(at('scheme/narrow.json'), JSON.stringify({ ...SCHEME, map }));
    const { exit, stderr } = await capturedRun(
      ...['train', 'raw', at('notes'), ...vectors(), '--scheme', at('scheme/narrow.json')],
      ...['--out', at('narrow')],
    );
    expect([exit, stderr]).toEqual([
      3,
      expect.stringMatching(
        /label-unknown: .*notes \(first at .*\.xml\): label scheme coarse has no DATE, PATIENT; it has WHO, WHERE, WHICH, and maps DOCTOR, /,
      ),
    ]);
  });

  test('a representation is trained, signed and published', async () => {
    await createKeyFiles(at('keys'));
    await succeed(
      ...['train', 'certified', at('notes'), ...vectors(), '--language', 'en'],
      ...['--scheme', at('scheme/coarse.json'), '--config', at('config.json'), '--out', at('run')],
    );
    rmSync(at('scheme'), { recursive: true });
    await sign('run', 'representation', '--inventory', at('run/inventory.json'));
    const shown = await capturedRun('bundle', 'show', at('representation'));
    expect(shown.stdout).toMatch(
      /coarse 1, 3 types of PHI\n\s+WHO, WHERE, WHICH\n\s+maps 18 types to these\n\s+not PHI: AGE/,
    );
    await enrol('provider', 'keys');
    await succeed('publish', at('representation'), ...registry());
  });

  test('without the scheme’s file notes are encoded and contributed', async () => {
    const encode = [
      ...['encode', at('notes'), '--model', at('representation'), ...trusted()],
      ...['--new-home', at('home')],
    ];
    const dry = await capturedRun(...encode, '--dry-run');
    expect(dry.stdout).toMatch(/as text {4}AGE \(\d+\): labelled, and text by the model's label/);
    expect(JSON.parse(await succeed(...encode)).asText).toEqual({ AGE: expect.any(Number) });
    await createKeyFiles(at('institution'));
    await enrol('institution', 'institution');
    await succeed(
      ...['contribute', '--home', at('home'), ...pool('institution')],
      ...['--key', at('institution/private.pem')],
    );
    snapshot = JSON.parse(await succeed('snapshot', 'create', ...pool('consumer'))).id;
  });

  test('without it a pipeline is trained on the pool', async () => {
    await succeed(
      ...['train', 'pooled', '--snapshot', snapshot, '--model', at('representation'), ...trusted()],
      ...[...pool('consumer'), '--config', at('config.json'), '--out', at('pooled')],
    );
    await sign('pooled', 'pipeline');
    const { labelScheme } = JSON.parse(readFileSync(at('pipeline/manifest.json'), 'utf8'));
    const { description: _description, ...carried } = SCHEME;
    expect(labelScheme).toMatchObject(carried);
  });

  test('without it notes are de-identified, in its types', async () => {
    const out = at('clean.jsonl');
    await succeed(
      ...['deidentify', at('notes'), out, '--model', at('pipeline'), ...trusted()],
      ...['--format', 'jsonl', '--policy', 'annotate', '--threshold', '0.2'],
    );
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(readdirSync(at('notes')).length);
    const labels = lines.flatMap((line) =>
      (JSON.parse(line).spans as { label: string }[]).map(({ label }) => label),
    );
    expect(labels.length).toBeGreaterThan(0);
    expect(labels.filter((label) => SCHEME.types.includes(label)).length).toBeGreaterThan(0);
  });
});
