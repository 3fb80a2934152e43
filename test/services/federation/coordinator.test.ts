import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Store } from '../../../pool-store/store.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { type FederationPlan, parseFederationPlan } from '../../../proto/federation-plan.js';
import { decodeNumbers, encodeNumbers, signUpdate } from '../../../proto/federation-update.js';
import { PATHS } from '../../../proto/paths.js';
import { ServiceClient } from '../../../services/client/client.js';
import { Coordinator } from '../../../services/federation/coordinator.js';
import { createCoordinator } from '../../../services/federation/coordinator-app.js';
import {
  type CoordinatorState,
  FederationFolder,
} from '../../../services/federation/coordinator-state.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { listen, type RunningServer } from '../../../services/http/server.js';
import { remoteFederation } from '../../../services/workflows/federation/remote-federation.js';
import { describedBy, keptDocument } from '../described.js';

const WORKERS = ['north', 'south'];
const START = Float32Array.of(0, 0, 1, 1);

let data: string;
let store: Store;
let server: RunningServer;
let time = 0;
let tokens: Record<string, string>;
let keys: Record<string, KeyObject>;
const signal = new AbortController().signal;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'tacet-federation-'));
  const setUp = await Store.open(data);
  tokens = {};
  keys = {};
  for (const name of [...WORKERS, 'stranger']) {
    tokens[name] = (await setUp.tokens.create({ role: 'institution', name })).token;
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { keyId } = await setUp.identities.request(name, rawPublicKey(publicKey));
    await setUp.identities.approve(keyId);
    keys[name] = privateKey;
  }
  await setUp.close();
});
afterEach(async () => {
  await stop();
  rmSync(data, { recursive: true });
});

function planOf(changes: Partial<FederationPlan>): FederationPlan {
  return parseFederationPlan({
    ...{ format: 1, procedure: 'averaging', network: 'festag', seed: 1, epochs: 2 },
    ...{ scheme: 'a'.repeat(64), embeddings: 'vectors', weights: START.length },
    ...{ workers: WORKERS, roundSeconds: null, guarantee: null },
    ...changes,
  });
}

async function begin(changes: Partial<FederationPlan>): Promise<void> {
  await new FederationFolder(data).create(planOf(changes), START);
  await start();
}

async function start(): Promise<void> {
  store = await Store.open(data, { serve: true });
  const coordinator = await Coordinator.open(store, new FederationFolder(data), () => time);
  const logger = pino({ level: 'silent' });
  const app = createCoordinator({ store, coordinator, logger, limits: DEFAULT_LIMITS });
  server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
}

async function stop(): Promise<void> {
  await server?.close();
  await store?.close();
}

function clientOf(name: string): ServiceClient {
  return new ServiceClient({ baseUrl: server.url, token: tokens[name] ?? '' });
}

function as(name: string) {
  return remoteFederation(clientOf(name), name, keys[name] as KeyObject, signal);
}

const change = (...values: number[]) => ({ values: Float32Array.from(values) });
const weightsNow = async () => [...(await as('north').weights(1)).values];

describe('the average over rounds', () => {
  const send = async (name: string, round: number, value: number) =>
    as(name).upload(change(value, 0, 0, 0), round, 1);

  test('is what workers find when all rounds are over, and not before, also after restarts', async () => {
    await begin({ averaging: 0.5, epochs: 3, workers: ['north'] });
    for (const [i, value] of [4, 4, 4].entries()) {
      expect(await weightsNow()).toEqual([4 * i, 0, 1, 1]);
      await send('north', i + 1, value);
      await stop();
      await start();
    }
    // After the second round the mean of 4 and 8, of which the third leaves a half.
    expect(await as('north').task()).toEqual({ task: 'over', epoch: 3 });
    expect(await weightsNow()).toEqual([9, 0, 1, 1]);
  });

  test('of a round robin is of what all had their turns at', async () => {
    await begin({ procedure: 'round-robin', averaging: 0.5 });
    for (const [i, name] of ['north', 'south', 'north', 'south'].entries())
      await send(name, i + 1, 1);
    expect(await weightsNow()).toEqual([3, 0, 1, 1]);
  });

  test('is none where the plan names none, and none of selective SGD', async () => {
    await begin({ workers: ['north'] });
    for (const round of [1, 2]) await send('north', round, 1);
    expect(await weightsNow()).toEqual([2, 0, 1, 1]);
    expect(() => planOf({ procedure: 'selective', averaging: 0.5 })).toThrow(
      expect.objectContaining({ code: 'config-invalid' }),
    );
  });
});

describe('averaging', () => {
  test('ends a round when everybody has sent, weighs by texts, and counts what comes twice once', async () => {
    await begin({});
    expect(await as('north').task()).toEqual({ task: 'train', epoch: 1 });
    expect(await as('north').upload(change(1, 0, 0, 0), 1, 1)).toBe(true);
    expect(await as('north').upload(change(1, 0, 0, 0), 1, 1)).toBe(true);
    expect(await as('north').task()).toEqual({ task: 'wait', epoch: 1 });
    expect(await weightsNow()).toEqual([0, 0, 1, 1]);
    expect(await as('south').upload(change(0, 4, 0, 0), 1, 3)).toBe(true);
    expect(await weightsNow()).toEqual([0.25, 3, 1, 1]);
    expect(await as('south').upload(change(0, 4, 0, 0), 1, 3)).toBe(true);
    expect(await weightsNow()).toEqual([0.25, 3, 1, 1]);
  });

  test('ends a round without a slow worker where the plan says so, and refuses what comes after', async () => {
    await begin({ roundSeconds: 10 });
    await as('north').upload(change(1, 0, 0, 0), 1, 1);
    time += 11_000 + Date.now();
    expect(await as('north').task()).toEqual({ task: 'train', epoch: 2 });
    expect(await as('south').upload(change(0, 9, 0, 0), 1, 1)).toBe(false);
    expect(await as('south').task()).toEqual({ task: 'train', epoch: 2 });
    expect(await weightsNow()).toEqual([1, 0, 1, 1]);
  });

  test('goes on after a restart as if there had been none, with every update in the log', async () => {
    await begin({});
    await as('north').upload(change(1, 0, 0, 0), 1, 1);
    await stop();
    await start();
    expect(await as('north').task()).toEqual({ task: 'wait', epoch: 1 });
    await as('south').upload(change(1, 0, 0, 0), 1, 1);
    await as('south').upload(change(0, 0, 1, 0), 2, 1);
    await as('north').upload(change(0, 0, 1, 0), 2, 1);
    expect(await as('north').task()).toEqual({ task: 'over', epoch: 2 });
    expect(await weightsNow()).toEqual([1, 0, 2, 1]);
    const taken = (await store.log.entries()).filter(
      ({ action }) => action === 'federation-update-accepted',
    );
    expect(taken.map(({ details }) => details)).toEqual([
      { worker: 'north', epoch: 1 },
      { worker: 'south', epoch: 1 },
      { worker: 'south', epoch: 2 },
      { worker: 'north', epoch: 2 },
    ]);
  });
});

test('a round robin asks one worker at a time, each from where the one before ended', async () => {
  await begin({ procedure: 'round-robin' });
  expect(await as('south').task()).toEqual({ task: 'wait', epoch: 1 });
  expect(await as('south').upload(change(1, 1, 1, 1), 1, 1)).toBe(false);
  await as('north').upload(change(1, 0, 0, 0), 1, 5);
  expect(await as('south').task()).toEqual({ task: 'train', epoch: 2 });
  await as('south').upload(change(1, 0, 0, 0), 2, 1);
  expect(await weightsNow()).toEqual([2, 0, 1, 1]);
  expect(await as('north').task()).toEqual({ task: 'train', epoch: 3 });
});

test('selective SGD waits for nobody, adds, counts, and hands out what was updated most', async () => {
  await begin({ procedure: 'selective' });
  const sparse = { places: Uint32Array.of(1, 3), values: Float32Array.of(0.5, -1) };
  expect(await as('north').upload(sparse, 1, 1)).toBe(true);
  expect(await as('north').upload(sparse, 1, 1)).toBe(true);
  expect(await as('north').task()).toEqual({ task: 'train', epoch: 2 });
  const { places, values } = await as('south').weights(0.5);
  expect([...(places ?? [])]).toEqual([1, 3]);
  expect([...values]).toEqual([0.5, 0]);
  expect([...(await as('south').firstWeights()).values]).toEqual([...START]);
  expect(await as('north').upload(sparse, 2, 1)).toBe(true);
  expect(await as('north').task()).toEqual({ task: 'over', epoch: 2 });
  expect(await as('south').task()).toEqual({ task: 'train', epoch: 1 });
});

/** A folder on a disk that at times neither takes nor gives anything. */
class FailingFolder extends FederationFolder {
  isFailing = false;

  override async write(state: CoordinatorState): Promise<void> {
    if (this.isFailing) throw new Error('no disk');
    await super.write(state);
  }

  override async read(): Promise<CoordinatorState> {
    if (this.isFailing) throw new Error('no disk');
    return super.read();
  }
}

test('an update that the disk did not take counts once the disk is back, and is on it then', async () => {
  const folder = new FailingFolder(data);
  await folder.create(planOf({}), START);
  store = await Store.open(data, { serve: true });
  const coordinator = await Coordinator.open(store, folder);
  const header = { worker: 'north', keyId: null, epoch: 1, texts: 1, places: null, values: 4 };
  const give = () => coordinator.accept({ header, ...change(1, 0, 0, 0) }, 'a'.repeat(64));
  folder.isFailing = true;
  await expect(give()).rejects.toThrow('no disk');
  await expect(give()).rejects.toThrow('no disk');
  folder.isFailing = false;
  expect(await coordinator.taskOf('north')).toEqual({ task: 'train', epoch: 1 });
  expect(await give()).toBe(true);
  expect((await folder.read()).received).toMatchObject([{ worker: 'north' }]);
  await store.close();
});

test.each([
  ['a header that is no JSON', (bytes: Buffer) => bytes.fill('{', 4, 20)],
  ['a header of something else', (bytes: Buffer) => bytes.fill(' ', 6, 20)],
  ['its end missing', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['its header cut off', (bytes: Buffer) => bytes.subarray(0, 12)],
  ['nothing in it', (bytes: Buffer) => bytes.subarray(0, 0)],
])('a state with %s is refused as damaged, with its file', async (_, damage) => {
  const folder = new FederationFolder(data);
  await folder.create(planOf({}), START);
  const file = join(data, 'federation/state.bin');
  writeFileSync(file, damage(readFileSync(file)));
  await expect(folder.read()).rejects.toMatchObject({
    code: 'checkpoint-invalid',
    message: expect.stringContaining('state.bin'),
  });
});

describe('a federation without the weights that it began with', () => {
  const first = () => join(data, 'federation', 'first.bin');
  const missing = expect.objectContaining({
    code: 'checkpoint-invalid',
    message: expect.stringMatching(/first\.bin is missing, .* begin another federation$/),
  });

  test('is not begun while a worker of selective SGD has yet to ask for them', async () => {
    await begin({ procedure: 'selective' });
    await as('north').upload(change(1, 0, 0, 0), 1, 1);
    await stop();
    rmSync(first());
    const refused = await Store.open(data, { serve: true });
    await expect(Coordinator.open(refused, new FederationFolder(data))).rejects.toEqual(missing);
    await refused.close();
  });

  test('goes on by a procedure that asks for none', async () => {
    await begin({});
    await stop();
    rmSync(first());
    await start();
    expect(await as('north').task()).toEqual({ task: 'train', epoch: 1 });
  });

  test('goes on where all workers have begun, and says what is missing to who asks', async () => {
    await begin({ procedure: 'selective' });
    for (const worker of WORKERS) await as(worker).upload(change(1, 0, 0, 0), 1, 1);
    await stop();
    rmSync(first());
    await start();
    expect(await as('north').task()).toEqual({ task: 'train', epoch: 2 });
    await expect(as('north').firstWeights()).rejects.toEqual(missing);
  });
});

describe('what is refused', () => {
  const refusal = (code: string) => expect.objectContaining({ code });

  test('who is no worker, who signs with another key, and who names another worker', async () => {
    await begin({});
    await expect(as('stranger').task()).rejects.toEqual(refusal('forbidden'));
    const foreign = remoteFederation(clientOf('north'), 'north', keys.south as KeyObject, signal);
    await expect(foreign.upload(change(1, 1, 1, 1), 1, 1)).rejects.toEqual(
      refusal('key-untrusted'),
    );
    const named = remoteFederation(clientOf('north'), 'south', keys.north as KeyObject, signal);
    await expect(named.upload(change(1, 1, 1, 1), 1, 1)).rejects.toEqual(refusal('forbidden'));
    expect(await weightsNow()).toEqual([...START]);
  });

  test('numbers that are none, too few of them, and a changed byte', async () => {
    await begin({});
    await expect(as('north').upload(change(Number.NaN, 0, 0, 0), 1, 1)).rejects.toEqual(
      refusal('federation-update-invalid'),
    );
    await expect(as('north').upload(change(1), 1, 1)).rejects.toEqual(
      refusal('federation-update-invalid'),
    );
    const stated = { worker: 'north', epoch: 1, texts: 1 };
    const envelope = signUpdate(change(1, 1, 1, 1), stated, keys.north as KeyObject);
    const bytes = Buffer.from(envelope.payload, 'base64');
    bytes[bytes.length - 1] = 0x40;
    const changed = { ...envelope, payload: bytes.toString('base64') };
    await expect(clientOf('north').json('POST', PATHS.federationUpdates, changed)).rejects.toEqual(
      refusal('signature-invalid'),
    );
    expect(await weightsNow()).toEqual([...START]);
  });

  test('what would make a weight infinite, and more notes than anybody has', async () => {
    await begin({ roundSeconds: 10 });
    const invalid = refusal('federation-update-invalid');
    await expect(as('north').upload(change(1, 1, 1, 1), 1, 2 ** 31 + 1)).rejects.toEqual(invalid);
    await as('north').upload(change(3e38, 0, 0, 0), 1, 2 ** 31);
    await as('south').upload(change(3e38, 0, 0, 0), 1, 1);
    const huge = await weightsNow();
    expect(huge.every(Number.isFinite)).toBe(true);
    await expect(as('north').upload(change(3e38, 0, 0, 0), 2, 1)).rejects.toEqual(invalid);
    await as('south').upload(change(0, 0, 1, 0), 2, 1);
    await stop();
    await start();
    expect(await as('north').task()).toEqual({ task: 'train', epoch: 2 });
    await as('north').upload(change(0, 0, 1, 0), 2, 1);
    expect(await weightsNow()).toEqual([huge[0], 0, 2, 1]);
  });

  test('changes that an earlier version took are left out where they would, after a restart too', async () => {
    const folder = new FederationFolder(data);
    await folder.create(planOf({}), START);
    const state = await folder.read();
    const weights = Float32Array.of(3e38, 0, 1, 1);
    const received = [
      { worker: 'north', texts: Number.MAX_SAFE_INTEGER, ...change(3e38, 0, 0, 0) },
    ];
    await folder.write({ ...state, weights, received });
    await start();
    expect(await as('north').task()).toEqual({ task: 'wait', epoch: 1 });
    await as('south').upload(change(0, 1, 0, 0), 1, 1);
    const closed = [Math.fround(3e38), 1, 1, 1];
    expect(await weightsNow()).toEqual(closed);
    await stop();
    await start();
    expect(await weightsNow()).toEqual(closed);
  });

  test('a second federation in the same directory', async () => {
    await begin({});
    await expect(new FederationFolder(data).create(planOf({}), START)).rejects.toEqual(
      refusal('file-exists'),
    );
  });
});

test('the coordinator answers with the document that is kept', async () => {
  await begin({});
  const now = await describedBy(server.url);
  expect(now).toEqual(keptDocument('coordinator', now));
});

test('numbers come back as they were sent, and what is cut off anywhere is refused', () => {
  const stated = { worker: 'north', keyId: null, epoch: 3, texts: 2 };
  const sparse = { places: Uint32Array.of(2, 7), values: Float32Array.of(0.25, -1e-9) };
  const bytes = encodeNumbers(sparse, stated);
  const { header, places, values } = decodeNumbers(bytes);
  expect(header).toEqual({ ...stated, places: 2, values: 2 });
  expect({ places, values }).toEqual(sparse);
  for (let length = 0; length < bytes.length; length++)
    expect(() => decodeNumbers(bytes.subarray(0, length))).toThrow(
      expect.objectContaining({ code: 'federation-update-invalid' }),
    );
});
