import type { KeyObject } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Store } from '../../../pool-store/store.js';
import { TacetError } from '../../../proto/errors.js';
import { type FederationPlan, planDigest } from '../../../proto/federation-plan.js';
import { signUpdate } from '../../../proto/federation-update.js';
import { PATHS } from '../../../proto/paths.js';
import { Coordinator } from '../../../services/federation/coordinator.js';
import {
  type CoordinatorState,
  FederationFolder,
} from '../../../services/federation/coordinator-state.js';
import { remoteFederation } from '../../../services/workflows/federation/remote-federation.js';
import { describedBy, keptDocument } from '../described.js';
import { change, planOf, RunningCoordinator, START, WORKERS } from './running-coordinator.js';

const signal = new AbortController().signal;

let running: RunningCoordinator;
beforeEach(async () => {
  running = await RunningCoordinator.prepare();
});
afterEach(() => running.remove());

const begin = (changes: Partial<FederationPlan>) => running.begin(changes);
const start = () => running.start();
const stop = () => running.stop();
const as = (name: string) => running.as(name);
const weightsNow = () => running.weights();

async function takenInLog() {
  const entries = await running.store.log.entries();
  return entries
    .filter(({ action }) => action === 'federation-update-accepted')
    .map(({ details }) => details);
}

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
    running.time += 11_000 + Date.now();
    expect(await as('north').task()).toEqual({ task: 'train', epoch: 2 });
    expect(await as('south').upload(change(0, 9, 0, 0), 1, 1)).toBe(false);
    expect(await as('south').task()).toEqual({ task: 'train', epoch: 2 });
    expect(await weightsNow()).toEqual([1, 0, 1, 1]);
  });

  test('gives a worker that sends nothing the weights of every round, and so the update of who was alone in one', async () => {
    await begin({ roundSeconds: 10, epochs: 3 });
    const read = async () => [...(await as('south').weights(1)).values];
    expect(await read()).toEqual([0, 0, 1, 1]);
    await as('north').upload(change(1, 2, 3, 4), 1, 9);
    running.time += 11_000 + Date.now();
    expect(await read()).toEqual([1, 2, 4, 5]);
    await as('north').upload(change(0, 0, 5, 0), 2, 9);
    running.time += 11_000;
    expect(await read()).toEqual([1, 2, 9, 5]);
    expect(await as('south').task()).toEqual({ task: 'train', epoch: 3 });
  });

  test('counts no time against a round in which no coordinator was there to send to', async () => {
    await begin({ roundSeconds: 10 });
    await as('north').upload(change(1, 0, 0, 0), 1, 1);
    await stop();
    running.time += 11_000 + Date.now();
    await start();
    expect(await as('north').task()).toEqual({ task: 'wait', epoch: 1 });
    expect(await as('south').upload(change(1, 0, 0, 0), 1, 1)).toBe(true);
    running.time += 9_000;
    await as('south').upload(change(0, 0, 1, 0), 2, 1);
    expect(await as('south').task()).toEqual({ task: 'wait', epoch: 2 });
    running.time += 2_000;
    expect(await as('south').task()).toEqual({ task: 'over', epoch: 2 });
    expect(await weightsNow()).toEqual([1, 0, 2, 1]);
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
    expect(await takenInLog()).toEqual([
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
  const folder = new FailingFolder(running.data);
  await folder.create(planOf({}), START);
  running.store = await Store.open(running.data, { serve: true });
  const coordinator = await Coordinator.open(running.store, folder);
  const header = {
    ...{ plan: null, worker: 'north', keyId: null },
    ...{ epoch: 1, texts: 1, places: null, values: 4 },
  };
  const give = () => coordinator.accept({ header, ...change(1, 0, 0, 0) }, 'a'.repeat(64));
  folder.isFailing = true;
  await expect(give()).rejects.toThrow('no disk');
  await expect(give()).rejects.toThrow('no disk');
  folder.isFailing = false;
  expect(await coordinator.taskOf('north')).toEqual({ task: 'train', epoch: 1 });
  expect(await give()).toBe(true);
  expect((await folder.read()).received).toMatchObject([{ worker: 'north' }]);
  await running.store.close();
});

test('an update that the log did not take is in it before its worker hears that it counts', async () => {
  await begin({ workers: [...WORKERS, 'stranger'] });
  const write = jest.spyOn(running.store.catalog, 'write');
  write.mockRejectedValueOnce(new TacetError('catalog-unreachable', 'the disk is full'));
  await expect(as('north').upload(change(1, 0, 0, 0), 1, 1)).rejects.toMatchObject({
    code: 'catalog-unreachable',
  });
  write.mockRejectedValueOnce(new TacetError('catalog-unreachable', 'the disk is full'));
  await expect(as('south').upload(change(1, 0, 0, 0), 1, 1)).rejects.toMatchObject({
    code: 'catalog-unreachable',
  });
  expect(await as('north').upload(change(1, 0, 0, 0), 1, 1)).toBe(true);
  expect(await takenInLog()).toEqual([{ worker: 'north', epoch: 1 }]);
  expect(await as('south').upload(change(1, 0, 0, 0), 1, 1)).toBe(true);
  expect(await takenInLog()).toEqual([
    { worker: 'north', epoch: 1 },
    { worker: 'south', epoch: 1 },
  ]);
});

test.each([
  ['a header that is no JSON', (bytes: Buffer) => bytes.fill('{', 4, 20)],
  ['a header of something else', (bytes: Buffer) => bytes.fill(' ', 6, 20)],
  ['its end missing', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['its header cut off', (bytes: Buffer) => bytes.subarray(0, 12)],
  ['nothing in it', (bytes: Buffer) => bytes.subarray(0, 0)],
])('a state with %s is refused as damaged, with its file', async (_, damage) => {
  const folder = new FederationFolder(running.data);
  await folder.create(planOf({}), START);
  const file = join(running.data, 'federation/state.bin');
  writeFileSync(file, damage(readFileSync(file)));
  await expect(folder.read()).rejects.toMatchObject({
    code: 'checkpoint-invalid',
    message: expect.stringContaining('state.bin'),
  });
});

describe('a federation without the weights that it began with', () => {
  const first = () => join(running.data, 'federation', 'first.bin');
  const missing = expect.objectContaining({
    code: 'checkpoint-invalid',
    message: expect.stringMatching(/first\.bin is missing, .* begin another federation$/),
  });

  test('is not begun while a worker of selective SGD has yet to ask for them', async () => {
    await begin({ procedure: 'selective' });
    await as('north').upload(change(1, 0, 0, 0), 1, 1);
    await stop();
    rmSync(first());
    const refused = await Store.open(running.data, { serve: true });
    await expect(Coordinator.open(refused, new FederationFolder(running.data))).rejects.toEqual(
      missing,
    );
    await refused.close();
  });

  test('is not begun in the first round of averaging, and goes on after it', async () => {
    await begin({});
    await as('north').upload(change(1, 0, 0, 0), 1, 1);
    const kept = readFileSync(first());
    await stop();
    rmSync(first());
    const refused = await Store.open(running.data, { serve: true });
    await expect(Coordinator.open(refused, new FederationFolder(running.data))).rejects.toEqual(
      missing,
    );
    await refused.close();
    writeFileSync(first(), kept);
    await start();
    await as('south').upload(change(1, 0, 0, 0), 1, 1);
    await stop();
    rmSync(first());
    await start();
    expect(await as('north').task()).toEqual({ task: 'train', epoch: 2 });
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

  test('the weights of the others to an institution that is none of them', async () => {
    await begin({ procedure: 'selective' });
    await expect(as('stranger').weights(1)).rejects.toEqual(refusal('forbidden'));
    await expect(as('stranger').weights(0.5)).rejects.toEqual(refusal('forbidden'));
    await expect(as('stranger').firstWeights()).rejects.toEqual(refusal('forbidden'));
  });

  test.each([
    ['round-robin', 'north, that south has no turn yet', 'south', []],
    ['round-robin', 'north, that its turn is over', 'north', ['north']],
    ['averaging', 'south, that north has sent', 'north', ['north']],
    ['selective', 'south, that north is over', 'north', ['north', 'north']],
  ] as const)(
    'of %s the weights that hold an update of %s',
    async (procedure, _, reader, senders) => {
      await begin({ procedure });
      const sent = new Map<string, number>();
      for (const name of senders) {
        expect((await as(name).weights(1)).values).toHaveLength(START.length);
        sent.set(name, (sent.get(name) ?? 0) + 1);
        await as(name).upload(change(1, 0, 0, 0), sent.get(name) as number, 1);
      }
      await expect(as(reader).weights(1)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringMatching(/asked to train.*the task of \w+ is (wait|over)/),
      });
      await expect(as(reader).weights(0.5)).rejects.toEqual(refusal('forbidden'));
      expect([...(await as(reader).firstWeights()).values]).toEqual([...START]);
    },
  );

  test('who is no worker, who signs with another key, and who names another worker', async () => {
    await begin({});
    await expect(as('stranger').task()).rejects.toEqual(refusal('forbidden'));
    const foreign = remoteFederation(
      running.clientOf('north'),
      'north',
      running.keys.south as KeyObject,
      signal,
    );
    await expect(foreign.upload(change(1, 1, 1, 1), 1, 1)).rejects.toEqual(
      refusal('key-untrusted'),
    );
    const named = remoteFederation(
      running.clientOf('north'),
      'south',
      running.keys.north as KeyObject,
      signal,
    );
    await expect(named.upload(change(1, 1, 1, 1), 1, 1)).rejects.toEqual(refusal('forbidden'));
    expect(await weightsNow()).toEqual([...START]);
  });

  test('an update that was signed for another federation', async () => {
    await begin({ epochs: 5 });
    const signedFor = (plan: FederationPlan) => {
      const stated = { plan: planDigest(plan), worker: 'north', epoch: 1, texts: 1 };
      const envelope = signUpdate(change(1, 1, 1, 1), stated, running.keys.north as KeyObject);
      return running.clientOf('north').json('POST', PATHS.federationUpdates, envelope);
    };
    await expect(signedFor(planOf({ epochs: 6 }))).rejects.toEqual(
      refusal('federation-update-invalid'),
    );
    expect(await as('north').task()).toEqual({ task: 'train', epoch: 1 });
    const inAnotherOrder = Object.fromEntries(Object.entries(planOf({ epochs: 5 })).reverse());
    expect(await signedFor(inAnotherOrder as FederationPlan)).toEqual({ accepted: true });
  });

  test('numbers that are none, too few of them, and a changed byte', async () => {
    await begin({});
    await expect(as('north').upload(change(Number.NaN, 0, 0, 0), 1, 1)).rejects.toEqual(
      refusal('federation-update-invalid'),
    );
    await expect(as('north').upload(change(1), 1, 1)).rejects.toEqual(
      refusal('federation-update-invalid'),
    );
    const stated = { plan: planDigest(planOf({})), worker: 'north', epoch: 1, texts: 1 };
    const envelope = signUpdate(change(1, 1, 1, 1), stated, running.keys.north as KeyObject);
    const bytes = Buffer.from(envelope.payload, 'base64');
    bytes[bytes.length - 1] = 0x40;
    const changed = { ...envelope, payload: bytes.toString('base64') };
    await expect(
      running.clientOf('north').json('POST', PATHS.federationUpdates, changed),
    ).rejects.toEqual(refusal('signature-invalid'));
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
    const folder = new FederationFolder(running.data);
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
    await expect(new FederationFolder(running.data).create(planOf({}), START)).rejects.toEqual(
      refusal('file-exists'),
    );
  });
});

test('the coordinator answers with the document that is kept', async () => {
  await begin({});
  const now = await describedBy(running.server.url);
  expect(now).toEqual(keptDocument('coordinator', now));
});
