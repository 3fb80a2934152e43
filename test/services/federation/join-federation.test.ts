import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { LocalTraining } from '../../../models/federation/local-training.js';
import { FESTAG_SELECTION } from '../../../models/federation/selective-sgd.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { headOf, splitHead } from '../../../platform/files/headed-bytes.js';
import { Store } from '../../../pool-store/store.js';
import { TacetError } from '../../../proto/errors.js';
import { type FederationPlan, parseFederationPlan } from '../../../proto/federation-plan.js';
import { type Numbers, weightsDigest } from '../../../proto/federation-update.js';
import { Coordinator } from '../../../services/federation/coordinator.js';
import { FederationFolder } from '../../../services/federation/coordinator-state.js';
import { joinFederation } from '../../../services/workflows/federation/join-federation.js';
import type { Federation } from '../../../services/workflows/federation/remote-federation.js';
import { WorkerHome } from '../../../services/workflows/federation/worker-home.js';
import { toyTexts, toyTraining } from '../../models/federation/toy-texts.js';

const NOTES = { digest: 'a'.repeat(64), documents: 4 };

let directory: string;
let store: Store;
let training: LocalTraining;

beforeEach(async () => {
  await useBackend('native');
  directory = mkdtempSync(path.join(tmpdir(), 'tacet-join-'));
  store = await Store.open(path.join(directory, 'data'));
  training = toyTraining(toyTexts(4, 1));
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
  await useBackend('cpu');
});

function planOf(procedure: FederationPlan['procedure'], workers = ['north']): FederationPlan {
  return parseFederationPlan({
    ...{ format: 1, procedure, network: 'festag', seed: 1, epochs: 3 },
    ...{ scheme: 'a'.repeat(64), embeddings: 'toy', weights: training.weights().length },
    firstWeights: weightsDigest(training.weights()),
    ...{ workers, roundSeconds: null, guarantee: null },
  });
}

interface Site {
  readonly plan: FederationPlan;
  readonly federation: Federation;
  /** What was uploaded, each time that it was tried. */
  readonly uploads: { readonly epoch: number; readonly update: Numbers }[];
}

/** A coordinator in this process, whose worker is alone; `fail` may stop an upload before or after it is taken. */
async function siteOf(
  procedure: FederationPlan['procedure'],
  fail: (uploads: number, when: 'before' | 'after') => void = () => undefined,
): Promise<Site> {
  const plan = planOf(procedure);
  const coordinator = await coordinatorOf(plan);
  const uploads: Site['uploads'] = [];
  return { plan, federation: federationOf(coordinator, 'north', uploads, fail), uploads };
}

async function coordinatorOf(plan: FederationPlan): Promise<Coordinator> {
  const folder = new FederationFolder(path.join(directory, 'data'));
  await folder.create(plan, training.weights());
  return await Coordinator.open(store, folder);
}

function federationOf(
  coordinator: Coordinator,
  worker: string,
  uploads: Site['uploads'] = [],
  fail: (uploads: number, when: 'before' | 'after') => void = () => undefined,
): Federation {
  return {
    plan: async () => coordinator.plan,
    task: () => coordinator.taskOf(worker),
    weights: async (share) => coordinator.weights(share),
    firstWeights: () => coordinator.firstWeights(),
    async upload(update, epoch, texts) {
      uploads.push({ epoch, update: { ...update, values: update.values.slice() } });
      fail(uploads.length, 'before');
      const { places, values } = update;
      const counts = { places: places?.length ?? null, values: values.length };
      const header = { plan: null, worker, keyId: null, epoch, texts, ...counts };
      await coordinator.accept({ header, places, values }, `${worker}${epoch}`.padStart(64, '0'));
      fail(uploads.length, 'after');
      return true;
    },
  };
}

const join = ({ plan, federation }: Site, seed = 1, signal?: AbortSignal) =>
  joinFederation(federation, {
    ...{ plan, training, signal, selection: FESTAG_SELECTION, random: new Random(seed) },
    home: new WorkerHome(path.join(directory, 'home'), plan, NOTES),
  });

test.each(['before', 'after'] as const)(
  'a worker that ends %s its update is taken sends the same numbers again, and they count once',
  async (moment) => {
    const site = await siteOf('selective', (uploads, when) => {
      if (uploads === 2 && when === moment) throw new Error('killed');
    });
    await expect(join(site)).rejects.toThrow('killed');
    // With other randomness a second training would give other numbers.
    await join(site, 2);
    const epochs = site.uploads.map(({ epoch }) => epoch);
    expect(epochs).toEqual(moment === 'before' ? [1, 2, 2, 3] : [1, 2, 3]);
    if (moment === 'before') expect(site.uploads[2]?.update).toEqual(site.uploads[1]?.update);
    const entries = (await store.log.entries()).filter(
      ({ action }) => action === 'federation-update-accepted',
    );
    expect(entries.map(({ details }) => details.epoch)).toEqual([1, 2, 3]);
  },
);

test('a coordinator that is away is waited for', async () => {
  let away = true;
  const site = await siteOf('averaging', (_, when) => {
    if (!away || when === 'after') return;
    away = false;
    throw new TacetError('server-unreachable', 'no answer');
  });
  await join(site);
  expect(site.uploads.map(({ epoch }) => epoch)).toEqual([1, 1, 2, 3]);
});

test.each(['server-failed', 'catalog-unreachable', 'rate-limited'] as const)(
  'an answer that is %s ends no worker, whatever it asked for',
  async (code) => {
    const site = await siteOf('averaging');
    const failed = new Set<string>();
    const { task, firstWeights, weights, upload, ...others } = site.federation;
    const onceFailing =
      <A extends unknown[], T>(name: string, ask: (...given: A) => Promise<T>) =>
      async (...given: A) => {
        const time = name === 'weights' && site.uploads.length === 3 ? 'the last weights' : name;
        if (failed.has(time)) return ask(...given);
        failed.add(time);
        throw new TacetError(code, 'for a while');
      };
    const federation: Federation = {
      ...others,
      task: onceFailing('task', task),
      firstWeights: onceFailing('first weights', firstWeights),
      weights: onceFailing('weights', weights),
      upload: onceFailing('upload', upload),
    };
    await join({ ...site, federation });
    expect([...failed]).toEqual([
      ...['task', 'first weights', 'upload', 'weights', 'the last weights'],
    ]);
    expect(site.uploads.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
  },
);

test.each([
  ['one more than the plan says', (values: Float32Array) => Float32Array.of(...values, 1)],
  ['one that is no number', (values: Float32Array) => values.with(3, Number.NaN)],
])('last weights with %s end no federation', async (_, spoil) => {
  const site = await siteOf('averaging');
  const federation: Federation = {
    ...site.federation,
    weights: async (share) => {
      const { values } = await site.federation.weights(share);
      return { values: site.uploads.length === 3 ? spoil(values) : values };
    },
  };
  await expect(join({ ...site, federation })).rejects.toMatchObject({
    code: 'federation-update-invalid',
  });
});

test.each(['selective', 'averaging', 'round-robin'] as const)(
  'a worker of %s begins with no other weights than the plan says',
  async (procedure) => {
    const site = await siteOf(procedure);
    const taught = async () => {
      const { values } = await site.federation.firstWeights();
      return { values: values.with(3, 0.5) };
    };
    await expect(
      join({ ...site, federation: { ...site.federation, firstWeights: taught } }),
    ).rejects.toMatchObject({
      code: 'federation-update-invalid',
      message: expect.stringContaining('are not those of its plan'),
    });
    expect(site.uploads).toEqual([]);
  },
);

test('a worker of selective SGD takes over no more weights than it asked for', async () => {
  const site = await siteOf('selective');
  const federation = { ...site.federation, weights: () => site.federation.weights(1) };
  await expect(join({ ...site, federation })).rejects.toMatchObject({
    code: 'federation-update-invalid',
    message: expect.stringContaining('--download-share'),
  });
  expect(site.uploads).toEqual([]);
});

test('a worker that is stopped while it waits says why', async () => {
  const site = await siteOf('averaging');
  const stopping = new AbortController();
  const federation: Federation = {
    ...site.federation,
    task: async () => {
      setTimeout(() => stopping.abort(new TacetError('interrupted', 'stopped')), 20);
      return { task: 'wait' } as never;
    },
  };
  await expect(join({ ...site, federation }, 1, stopping.signal)).rejects.toEqual(
    expect.objectContaining({ code: 'interrupted' }),
  );
});

test('a worker of selective SGD whose home is not the one that it trained in has no result', async () => {
  const site = await siteOf('selective', (uploads, when) => {
    if (uploads === 2 && when === 'before') throw new Error('killed');
  });
  await expect(join(site)).rejects.toThrow('killed');
  const over: Federation = { ...site.federation, task: async () => ({ task: 'over', epoch: 3 }) };
  const refused = { code: 'config-invalid', message: expect.stringContaining('--home') };
  await expect(join({ ...site, federation: over })).rejects.toMatchObject(refused);
  await join(site);
  rmSync(path.join(directory, 'home'), { recursive: true });
  await expect(join(site)).rejects.toMatchObject(refused);
});

test('a worker trains for no epoch that it has sent, and keeps one home for one federation', async () => {
  const site = await siteOf('averaging');
  await join(site);
  const again: Federation = {
    ...site.federation,
    task: async () => ({ task: 'train', epoch: 2 }),
  };
  await expect(join({ ...site, federation: again })).rejects.toEqual(
    expect.objectContaining({ code: 'config-invalid' }),
  );
  const other = { ...site, plan: { ...site.plan, epochs: 4 } };
  await expect(join(other)).rejects.toEqual(
    expect.objectContaining({ code: 'checkpoint-invalid' }),
  );
});

test.each([
  ['a header that is no JSON', (bytes: Buffer) => bytes.fill('{', 4, 20)],
  ['a header of something else', (bytes: Buffer) => bytes.fill(' ', 6, 20)],
  ['its end missing', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['its header cut off', (bytes: Buffer) => bytes.subarray(0, 12)],
])('what a worker has kept of an epoch with %s is refused as damaged', async (_, damage) => {
  const site = await siteOf('averaging');
  await join(site);
  const file = path.join(directory, 'home/epoch.bin');
  await writeFile(file, damage(await readFile(file)));
  await expect(join(site)).rejects.toMatchObject({
    code: 'checkpoint-invalid',
    message: expect.stringContaining('epoch.bin'),
  });
});

test('a worker of selective SGD that comes late begins with the first weights, not with what others taught', async () => {
  const plan = planOf('selective', ['north', 'south']);
  const coordinator = await coordinatorOf(plan);
  const first = training.weights();
  const begin = (name: string) => {
    const uploads: Site['uploads'] = [];
    const options = {
      ...{ plan, training, random: new Random(1), home: new WorkerHome(at(name), plan, NOTES) },
      selection: { ...FESTAG_SELECTION, downloadShare: 0, uploadShare: 1, threshold: 0 },
    };
    return joinFederation(federationOf(coordinator, name, uploads), options).then(() => uploads);
  };
  const at = (name: string) => path.join(directory, name);
  const north = await begin('north');
  expect(coordinator.weights(1).values).not.toEqual(first);
  // Who takes over nothing, over the same notes in the same order, sends what the first one sent.
  expect(await begin('south')).toEqual(north);
});

test.each([
  ['others', { ...NOTES, digest: 'b'.repeat(64) }],
  ['fewer', { ...NOTES, documents: 3 }],
])(
  'a home that was trained in goes on with the notes that it began with, and not with %s',
  async (_, others) => {
    const { plan, federation } = await siteOf('averaging');
    await join({ plan, federation, uploads: [] });
    const home = path.join(directory, 'home');
    const again = new WorkerHome(home, plan, NOTES);
    expect(await again.read()).toMatchObject({ epoch: 3 });
    expect(again.learned).toEqual(NOTES);
    await expect(new WorkerHome(home, plan, others).read()).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('other notes than this home trained on'),
    });
  },
);

test('a home of an earlier version goes on, and never says which notes it was trained on', async () => {
  const site = await siteOf('averaging', (uploads, when) => {
    if (uploads === 2 && when === 'before') throw new Error('killed');
  });
  await expect(join(site)).rejects.toThrow('killed');
  const file = path.join(directory, 'home', 'epoch.bin');
  const { header, rest } = splitHead(await readFile(file)) as NonNullable<
    ReturnType<typeof splitHead>
  >;
  const { learned: _, ...before } = header as object & { learned?: unknown };
  await writeFile(file, Buffer.concat([headOf(before), rest]));
  await join(site, 2);
  const home = new WorkerHome(path.join(directory, 'home'), site.plan, NOTES);
  expect(await home.read()).toMatchObject({ epoch: 3 });
  expect(home.learned).toBeUndefined();
});
