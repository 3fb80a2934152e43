import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { readPublicKey } from '../../../../models/bundle/key-files.js';
import type { Facts } from '../../../../models/bundle/manifest.js';
import { writeModelCard } from '../../../../models/bundle/model-card.js';
import { Store } from '../../../../pool-store/store.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import { parseFederationPlan } from '../../../../proto/federation-plan.js';
import { Coordinator } from '../../../../services/federation/coordinator.js';
import { createCoordinator } from '../../../../services/federation/coordinator-app.js';
import { FederationFolder } from '../../../../services/federation/coordinator-state.js';
import { DEFAULT_LIMITS } from '../../../../services/http/limits.js';
import { listen } from '../../../../services/http/server.js';
import { federatedStatement } from '../../../../services/workflows/federation/federated-statement.js';
import { writeResult } from '../../../../services/workflows/federation/federation-result.js';
import { capturedRun } from '../captured-run.js';
import { smallCorpus } from '../small-corpus.js';

const EPOCHS = 20;
const NOTES = 5;
const UNSEEN = 3;
const LONG_MS = 300_000;

let folder: string;
const at = (name: string) => path.join(folder, name);
const agreed = () => ['--embeddings', at('words.vec'), '--scheme', 'synthetic'];
beforeAll(async () => {
  folder = await smallCorpus('tacet-federation-pipeline-', NOTES + UNSEEN);
  await mkdir(at('unseen'));
  for (const note of (await readdir(at('notes'))).sort().slice(0, UNSEEN))
    await rename(at(`notes/${note}`), at(`unseen/${note}`));
});
afterAll(() => rm(folder, { recursive: true }));

async function done(...args: string[]) {
  const { exit, stdout, stderr } = await capturedRun('--json', ...args);
  expect(`${exit} ${exit === 0 ? '' : stderr}`).toBe('0 ');
  return JSON.parse(stdout);
}

/** The coordinator of `--data data`, with a token of north's in the environment, for as long as `use` takes. */
async function withCoordinator(use: (url: string) => Promise<void>): Promise<void> {
  const store = await Store.open(at('data'), { serve: true });
  const { keyId } = await store.identities.request(
    'north',
    rawPublicKey(await readPublicKey(at('keys/public.pem'))),
  );
  await store.identities.approve(keyId);
  const { token } = await store.tokens.create({ role: 'institution', name: 'north' });
  const coordinator = await Coordinator.open(store, new FederationFolder(at('data')));
  const setting = { store, coordinator, logger: pino({ level: 'silent' }), limits: DEFAULT_LIMITS };
  const server = await listen(createCoordinator(setting), {
    ...{ host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS },
  });
  const before = process.env.TACET_TOKEN;
  process.env.TACET_TOKEN = token;
  try {
    await use(server.url);
  } finally {
    if (before === undefined) delete process.env.TACET_TOKEN;
    else process.env.TACET_TOKEN = before;
    await server.close();
    await store.close();
  }
}

test(
  'what was trained together becomes a signed pipeline, by which notes are de-identified at home',
  async () => {
    await done('keys', 'create', at('keys'));
    await done(
      ...['federation', 'create', '--data', at('data'), '--workers', 'north,south', ...agreed()],
      ...['--epochs', `${EPOCHS}`, '--learning-rate', '0.01', '--round-seconds', '0.1'],
    );
    const early = await capturedRun(
      'federation',
      'pipeline',
      at('home'),
      ...agreed(),
      '--out',
      'x',
    );
    expect(early.stderr).toContain('tacet federation join writes it when the federation is over');
    await withCoordinator(async (coordinator) => {
      const join = (corpus: string) => [
        ...['federation', 'join', '--coordinator', coordinator, '--name', 'north', ...agreed()],
        ...['--procedure', 'averaging', '--learning-rate', '0.01', '--corpus', at(corpus)],
        ...['--key', at('keys/private.pem'), '--home', at('home')],
      ];
      const joined = await done(...join('notes'));
      expect(joined.next[0]).toContain('tacet federation pipeline');
      const others = await capturedRun(...join('unseen'), '--held-out', at('notes'));
      expect(others).toMatchObject({
        ...{ exit: 2, stderr: expect.stringContaining('other notes than this home trained on') },
      });
    });
    const pipeline = (...held: string[]) => [
      ...['federation', 'pipeline', at('home'), ...agreed(), '--out', at('made')],
      ...['--name', 'ours', '--language', 'en', ...held],
    ];
    for (const [held, exit, says] of [
      [['--held-out', at('unseen')], 2, 'name those of join beside them (--corpus)'],
      [['--held-out', at('notes'), '--corpus', at('unseen')], 2, 'not the notes that'],
      [['--held-out', at('notes'), '--corpus', at('notes')], 3, 'are among those of training'],
    ] as const) {
      const refused = await capturedRun(...pipeline(...held));
      expect(refused).toMatchObject({ exit, stderr: expect.stringContaining(says) });
    }
    const made = await done(...pipeline('--held-out', at('unseen'), '--corpus', at('notes')));
    expect(made.scores['binary token F1, held-out notes']).toBeGreaterThan(0);
    await done(
      ...['bundle', 'create', at('signed'), '--manifest', made.manifest],
      ...['--weights', made.weights, '--key', at('keys/private.pem')],
    );
    const { manifest } = await done(
      'bundle',
      'verify',
      at('signed'),
      '--trust',
      at('keys/public.pem'),
    );
    expect(manifest.training).toMatchObject({
      ...{ objective: 'federated', procedure: 'averaging', publisher: 'north', language: 'en' },
      'took part, as the coordinator says': `north (round ${EPOCHS} of ${EPOCHS} was its last), south (never)`,
      ...{ 'documents of its publisher': NOTES, optimiser: 'adam', 'learning rate': 0.01 },
      promised: expect.stringContaining('nothing;'),
    });
    const card = await readFile(at('signed/MODEL_CARD.md'), 'utf8');
    expect(card).toContain('nothing bounds what its weights tell');
    expect(card).not.toContain('Validation notes ended the training');
    const report = await done(
      ...['deidentify', at('notes'), at('clean'), '--model', at('signed'), '--no-patterns'],
      ...['--trust', at('keys/public.pem'), '--embeddings', at('words.vec')],
    );
    expect(report).toMatchObject({ documents: NOTES });
    expect(report.spans).toBeGreaterThan(0);
    const { notes: _, ...unnamed } = JSON.parse(await readFile(at('home/result.json'), 'utf8'));
    await writeFile(at('home/result.json'), JSON.stringify(unnamed));
    const earlier = await capturedRun(
      ...pipeline('--held-out', at('unseen'), '--corpus', at('notes'), '--out', at('again')),
    );
    expect(earlier).toMatchObject({
      ...{ exit: 2, stderr: expect.stringContaining('no note is known to be unseen') },
    });
  },
  LONG_MS,
);

const planOf = (changes: object) =>
  parseFederationPlan({
    ...{ format: 1, procedure: 'selective', network: 'festag', seed: 1, epochs: 2, weights: 1 },
    ...{ scheme: 'a'.repeat(64), embeddings: 'toy', workers: ['north', 'south'] },
    ...{ roundSeconds: null, guarantee: null, ...changes },
  });

test('a tagger that no bundle holds is refused, and it is said what can be done', async () => {
  const home = await mkdtemp(at('festag-'));
  const weights = { only: { shape: [1], data: Float32Array.of(1) } };
  const stated = { worker: 'north', taken: { north: 2 }, documents: 3 };
  await writeResult(home, weights, { ...stated, plan: planOf({}) });
  const refused = await capturedRun(
    'federation',
    'pipeline',
    home,
    ...agreed(),
    '--out',
    at('none'),
  );
  expect(refused.exit).not.toBe(0);
  expect(refused.stderr).toContain('this is the tagger festag');
  expect(refused.stderr).toContain('--network deidentifier');
});

test('neither a bundle nor the weights of a worker are written over', async () => {
  for (const file of ['bundle/manifest.json', 'worker/weights.safetensors']) {
    await mkdir(path.dirname(at(file)));
    await writeFile(at(file), 'kept');
    const { exit, stderr } = await capturedRun(
      ...['federation', 'pipeline', path.dirname(at(file)), ...agreed()],
      ...['--out', path.dirname(at(file))],
    );
    expect([exit, stderr]).toEqual([3, expect.stringMatching(/file-exists: .*already.*--out/)]);
    expect(await readFile(at(file), 'utf8')).toBe('kept');
  }
});

const cardOf = (training: Facts) =>
  writeModelCard({
    ...{ name: 'ours', version: '1.0.0', kind: 'pipeline', tokenisation: 'words' },
    labelScheme: { name: 's', version: '1', labels: ['O'], digest: 'a'.repeat(64) },
    embeddings: { identity: 'a'.repeat(64), dimension: 1, name: 'words' },
    ...{ architecture: {}, training, scores: {}, created: '2026-01-01T00:00:00Z' },
  });

test('a card takes no epsilon for a bound but that of a training together', () => {
  expect(cardOf({ objective: 'raw', epsilon: 8 })).toContain(
    'nothing bounds what its weights tell',
  );
});

test('a card says what private averaging promises, with what noise, and to whom not', () => {
  const guarantee = { epsilon: 8, delta: 1e-5 };
  const plan = planOf({
    ...{ procedure: 'private-averaging', network: 'deidentifier', guarantee },
    publicNotes: { documents: 48, epochs: 20 },
  });
  const training = federatedStatement(
    { plan, worker: 'north', taken: { north: 2, south: 1 }, documents: 3 },
    undefined,
  );
  expect(training).toMatchObject({
    ...guarantee,
    'took part, as the coordinator says':
      'north (round 2 of 2 was its last), south (round 1 of 2 was its last)',
    promised: expect.stringMatching(
      /one note more or less .* in all changes of weights .* apart from how many notes .* less for a patient with several/,
    ),
  });
  expect(training['noise multiplier']).toBeGreaterThan(0);
  const card = cardOf(training);
  expect(card).toContain('bounded by what is promised of its training');
  expect(card).toContain('| first weights learned from | 48 public notes, for 20 epochs |');
  expect(card).not.toContain('nothing bounds');
});
