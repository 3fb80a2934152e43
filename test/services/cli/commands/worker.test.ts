import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKeyFiles, readPublicKey } from '../../../../models/bundle/key-files.js';
import { readMetrics } from '../../../../models/training/run/metrics-file.js';
import type { TrainingJob } from '../../../../pool-store/training/training-job.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import type { Servers } from '../../../../services/cli/servers.js';
import { DEFAULT_LIMITS } from '../../../../services/http/limits.js';
import { endAfterTests } from '../../left-over.js';
import { createWorld, serve, sha256, type World } from '../../world.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite, SMALL_CONFIG } from '../small-corpus.js';

const MAIN = fileURLToPath(new URL('../../../../services/cli/main.js', import.meta.url));
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
let snapshot: string;
/** SHA-256 of the weights of an uninterrupted `train pooled`. */
let expected: string;

const trust = () => ['--trust', at('keys/public.pem')];
const embeddings = () => ['--embeddings', at('words.vec')];
const as = (role: 'provider' | 'institution' | 'consumer' | 'admin') => [
  '--token',
  world.tokens[role],
];
const pool = () => ['--pool', servers.addresses.pool ?? ''];
const registry = () => ['--registry', servers.addresses.registry ?? ''];

/** Its standard output; expects it to succeed. */
async function ok(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await capturedRun(...args);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr });
  return stdout;
}

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world, { limits: { ...DEFAULT_LIMITS, jobSeconds: 4 } });
  const { identities } = servers.store;
  for (const [name, keys] of [
    ['provider', 'keys'],
    ['institution', 'own-keys'],
  ]) {
    const { publicKeyFile } = await createKeyFiles(at(keys));
    const raw = rawPublicKey(await readPublicKey(publicKeyFile));
    await identities.approve((await identities.request(name, raw)).keyId);
  }
  await writeFile(at('provider.token'), world.tokens.provider, { mode: 0o600 });
  await writeFile(at('job.json'), JSON.stringify(CONFIG));
  const supervised = { maxEpochs: ENDLESS, patience: ENDLESS };
  await writeFile(at('endless.json'), JSON.stringify({ ...CONFIG, supervised }));
  await ok(
    ...['train', 'certified', at('notes'), ...embeddings(), '--scheme', 'synthetic'],
    ...['--language', 'en', '--config', at('config.json'), '--out', at('certified')],
  );
  await ok(
    ...['bundle', 'create', at('model'), '--manifest', at('certified/manifest.json')],
    ...['--weights', at('certified/weights.safetensors'), '--key', at('keys/private.pem')],
    ...['--inventory', at('certified/inventory.json')],
  );
  await ok('publish', at('model'), ...registry(), ...as('provider'));
  await ok(
    ...['encode', at('notes'), '--model', at('model'), ...trust(), ...embeddings()],
    ...['--new-home', at('home')],
  );
  const sign = ['--home', at('home'), '--key', at('own-keys/private.pem')];
  await ok('contribute', ...sign, ...pool(), ...as('institution'));
  snapshot = JSON.parse(await ok('--json', 'snapshot', 'create', ...pool(), ...as('consumer'))).id;
  await ok(
    ...['train', 'pooled', '--snapshot', snapshot, ...pool(), ...as('admin'), ...trust()],
    ...['--model', at('model'), ...embeddings(), '--config', at('job.json'), '--out', at('whole')],
  );
  expected = sha256(await readFile(at('whole/weights.safetensors')));
}, LONG_MS);
afterAll(async () => {
  await servers.close();
  world.remove();
});

interface Worker {
  /** Waits for a line on its standard error. */
  says(text: string | RegExp): Promise<string>;
  end(signal: NodeJS.Signals): Promise<number | null>;
  readonly ended: Promise<number | null>;
}

/** A real `tacet worker`, in a folder of its own. */
function startWorker(folder: string, ...options: readonly string[]): Worker {
  const args = [
    ...['worker', ...pool(), '--model', at('model'), ...trust(), ...embeddings()],
    ...['--out', at(folder), '--poll', '1', ...options],
  ];
  const child = spawn(process.execPath, ['--no-warnings', MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', TACET_TOKEN: world.tokens.consumer },
  });
  const ended = once(child, 'exit').then(([code]) => code);
  child.once(
    'exit',
    endAfterTests(() => child.kill('SIGKILL')),
  );
  const lines: string[] = [];
  const events = new EventEmitter();
  createInterface({ input: child.stderr as never }).on('line', (line) => {
    lines.push(line);
    events.emit('line');
  });
  return {
    ended,
    says: async (text) => {
      for (;;) {
        const found = lines.find((line) => line.match(text));
        if (found) return found;
        const failed = lines.find((line) => /: failed/.test(line));
        if (failed) throw new Error(lines.join('\n'));
        const isOver = await Promise.race([once(events, 'line'), ended]);
        if (!Array.isArray(isOver)) throw new Error(`it ended, saying ${lines.join('\n')}`);
      }
    },
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

async function create(name: string, config = 'job.json'): Promise<TrainingJob> {
  const asked = ['--snapshot', snapshot, '--name', name, '--config', at(config)];
  return JSON.parse(await ok('--json', 'job', 'create', ...asked, ...pool(), ...as('consumer')));
}

async function show(id: string): Promise<TrainingJob> {
  return JSON.parse(await ok('--json', 'job', 'show', id, ...pool(), ...as('consumer')));
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

    const second = startWorker(
      'w2',
      ...[...registry(), '--registry-token-file', at('provider.token')],
      ...['--key', at('keys/private.pem'), '--publish-as', 'another', 'of-two-workers'],
    );
    await second.says(`going on after epoch ${kept}`);
    await second.says(`job ${id}: done`);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(await readdir(at('w2'))).toEqual([]);

    const job = await show(id);
    expect(job).toMatchObject({ state: 'done', checkpoints: [], worker: 'consumer' });
    expect(job.result).toMatchObject({ epochs: EPOCHS, weights: expected });
    const model = JSON.parse(
      await ok(
        ...['--json', 'model', 'fetch', 'of-two-workers', '1.0.0', at('fetched'), ...trust()],
        ...[...registry(), ...as('consumer')],
      ),
    );
    expect(job.result?.published).toMatchObject({ digest: model.digest, version: '1.0.0' });
    const curve = JSON.parse(await readFile(at('fetched/training.json'), 'utf8'));
    const whole = await readMetrics(at('whole/metrics.jsonl'));
    expect(curve.epochs).toEqual(
      whole.map(({ stage, epoch, train, validation }) => ({ stage, epoch, train, validation })),
    );
    const runs = JSON.parse(
      await ok('--json', 'snapshot', 'runs', snapshot, ...pool(), ...as('consumer')),
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
    const stdout = await ok('job', 'cancel', cancelled.id, ...pool(), ...as('consumer'));
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
    expect((await show(id)).result).toMatchObject({ weights: expected, published: null });
    const line = await second.says(/done; what was trained is in/);
    const folder = line.split(' is in ').at(-1) as string;
    expect(sha256(await readFile(`${folder}/run/weights.safetensors`))).toBe(expected);
    expect(await ok('job', 'list', ...pool(), ...as('consumer'))).toMatch(
      new RegExp(`${cancelled.id}  cancelled[^]*${id}  done`),
    );
  },
  LONG_MS,
);

test('a worker publishes nothing without the names that it publishes under', async () => {
  const { exit, stderr } = await capturedRun(
    ...['worker', ...pool(), ...as('consumer'), '--model', at('model'), ...trust()],
    ...[...embeddings(), '--out', at('w5'), '--until-idle'],
    ...[...registry(), '--key', at('keys/private.pem')],
  );
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringMatching(/--publish-as/) });
});

test('a worker whose word vectors are others than its bundle names claims nothing', async () => {
  await mkdir(at('other'));
  await writeFile(at('other/words.vec'), 'one 1 2 3\ntwo 1 2 3\n');
  const { id } = await create('untouched');
  const { exit, stderr } = await capturedRun(
    ...['worker', ...pool(), ...as('consumer'), '--model', at('model'), ...trust()],
    ...['--embeddings', at('other/words.vec'), '--out', at('w6'), '--until-idle'],
  );
  expect({ exit, stderr }).toEqual({
    exit: 4,
    stderr: expect.stringMatching(/tacet: model-unsuitable: .*embeddings/),
  });
  expect(await show(id)).toMatchObject({ state: 'queued' });
});
