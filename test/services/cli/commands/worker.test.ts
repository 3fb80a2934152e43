import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readMetrics } from '../../../../models/training/run/metrics-file.js';
import type { TrainingJob } from '../../../../pool-store/training/training-job.js';
import type { Servers } from '../../../../services/cli/servers.js';
import { DEFAULT_LIMITS } from '../../../../services/http/limits.js';
import { createWorld, serve, sha256, type World } from '../../world.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite, SMALL_CONFIG } from '../small-corpus.js';
import { succeeded, TrainingSite } from '../training-site.js';
import { spawnWorker } from '../worker-process.js';

const LONG_MS = 60_000;
const EPOCHS = 25;
/** More than there is time for. */
const ENDLESS = 5000;
const CONFIG = {
  ...SMALL_CONFIG,
  deidentifier: { units: 40, layers: 1 },
  supervised: { maxEpochs: EPOCHS, patience: EPOCHS },
};

const { at } = corpusSite(12);
let world: World;
let servers: Servers;
let site: TrainingSite;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world, { limits: { ...DEFAULT_LIMITS, jobSeconds: 4 } });
  const asked = { addresses: servers.addresses, tokens: world.tokens };
  const { identities } = servers.store;
  site = await TrainingSite.made(at, asked, { identities, jobs: CONFIG });
  const supervised = { maxEpochs: ENDLESS, patience: ENDLESS };
  await writeFile(at('endless.json'), JSON.stringify({ ...CONFIG, supervised }));
}, LONG_MS);
afterAll(async () => {
  await servers.close();
  world.remove();
});

const startWorker = (folder: string, ...options: readonly string[]) =>
  spawnWorker([...site.workerArguments(folder), ...options], world.tokens.consumer);

async function create(name: string, config = 'job.json'): Promise<TrainingJob> {
  const asked = ['--snapshot', site.snapshot, '--name', name, '--config', at(config)];
  return JSON.parse(
    await succeeded('--json', 'job', 'create', ...asked, ...site.pool, ...site.as('consumer')),
  );
}

async function show(id: string): Promise<TrainingJob> {
  return JSON.parse(
    await succeeded('--json', 'job', 'show', id, ...site.pool, ...site.as('consumer')),
  );
}

test(
  'a killed worker loses an epoch at most: another goes on in an empty folder to the same weights, and publishes',
  async () => {
    const { id } = await create('of-two-workers');
    const first = startWorker('w1');
    await first.says('training from the beginning');
    await first.says('epoch 3 is kept by the pool');
    await first.end('SIGKILL');
    const kept = (await show(id)).checkpoints[0]?.epoch ?? 0;
    expect(kept).toBeGreaterThanOrEqual(3);
    expect(kept).toBeLessThan(EPOCHS);

    const second = startWorker('w2', ...site.publishAs('another', 'of-two-workers'));
    await second.says(`going on after epoch ${kept}`);
    await second.says(`job ${id}: done`);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(await readdir(at('w2'))).toEqual([]);

    const job = await show(id);
    expect(job).toMatchObject({ state: 'done', checkpoints: [], worker: 'consumer' });
    expect(job.result).toMatchObject({ epochs: EPOCHS, weights: site.weights });
    const model = JSON.parse(
      await succeeded(
        ...['--json', 'model', 'fetch', 'of-two-workers', '1.0.0', at('fetched'), ...site.trust],
        ...[...site.registry, ...site.as('consumer')],
      ),
    );
    expect(job.result?.published).toMatchObject({ digest: model.digest, version: '1.0.0' });
    const curve = JSON.parse(await readFile(at('fetched/training.json'), 'utf8'));
    const whole = await readMetrics(at('whole/metrics.jsonl'));
    expect(curve.epochs).toEqual(
      whole.map(({ stage, epoch, train, validation }) => ({ stage, epoch, train, validation })),
    );
    const runs = JSON.parse(
      await succeeded(
        '--json',
        'snapshot',
        'runs',
        site.snapshot,
        ...site.pool,
        ...site.as('consumer'),
      ),
    );
    expect(runs).toContainEqual(
      expect.objectContaining({ name: 'of-two-workers', trainer: 'consumer' }),
    );
  },
  LONG_MS,
);

test(
  'a worker drops a job that is cancelled, takes the next, and lets go of it when it is asked to end',
  async () => {
    const cancelled = await create('cancelled', 'endless.json');
    const first = startWorker('w3');
    await first.says(`${cancelled.id}: epoch 1 is kept by the pool`);
    const stdout = await succeeded(
      'job',
      'cancel',
      cancelled.id,
      ...site.pool,
      ...site.as('consumer'),
    );
    expect(stdout).toMatch(new RegExp(`^${cancelled.id}  cancelled`));
    await first.says(`job ${cancelled.id}: lost`);

    const { id } = await create('let-go-of');
    await first.says(`${id}: epoch 1 is kept by the pool`);
    const ended = first.end('SIGTERM');
    await first.says(`let go of job ${id}`);
    expect(await ended).toBe(0);
    expect(await show(id)).toMatchObject({ state: 'queued', leaseEnds: null });

    const second = startWorker('w4', '--until-idle');
    expect(await second.ended).toBe(0);
    expect((await show(id)).result).toMatchObject({ weights: site.weights, published: null });
    const line = await second.says(/done; what was trained is in/);
    const folder = line.split(' is in ').at(-1) as string;
    expect(sha256(await readFile(`${folder}/run/weights.safetensors`))).toBe(site.weights);
    expect(await succeeded('job', 'list', ...site.pool, ...site.as('consumer'))).toMatch(
      new RegExp(`${cancelled.id}  cancelled[^]*${id}  done`),
    );
  },
  LONG_MS,
);

test('a worker publishes nothing without the names that it publishes under', async () => {
  const { exit, stderr } = await capturedRun(
    ...['worker', ...site.pool, ...site.as('consumer'), '--model', at('model'), ...site.trust],
    ...[...site.embeddings, '--out', at('w5'), '--until-idle'],
    ...[...site.registry, '--key', at('keys/private.pem')],
  );
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringMatching(/--publish-as/) });
});

test('a worker whose word vectors are others than its bundle names claims nothing', async () => {
  await mkdir(at('other'));
  await writeFile(at('other/words.vec'), 'one 1 2 3\ntwo 1 2 3\n');
  const { id } = await create('untouched');
  const { exit, stderr } = await capturedRun(
    ...['worker', ...site.pool, ...site.as('consumer'), '--model', at('model'), ...site.trust],
    ...['--embeddings', at('other/words.vec'), '--out', at('w6'), '--until-idle'],
  );
  expect({ exit, stderr }).toEqual({
    exit: 4,
    stderr: expect.stringMatching(/tacet: model-unsuitable: .*embeddings/),
  });
  expect(await show(id)).toMatchObject({ state: 'queued' });
});
