import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { LocalTraining } from '../../../models/federation/local-training.js';
import { FESTAG_SELECTION } from '../../../models/federation/selective-sgd.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { Store } from '../../../pool-store/store.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { type FederationPlan, parseFederationPlan } from '../../../proto/federation-plan.js';
import { weightsDigest } from '../../../proto/federation-update.js';
import { ServiceClient } from '../../../services/client/client.js';
import { Coordinator } from '../../../services/federation/coordinator.js';
import { createCoordinator } from '../../../services/federation/coordinator-app.js';
import { FederationFolder } from '../../../services/federation/coordinator-state.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { listen, type RunningServer } from '../../../services/http/server.js';
import { joinFederation } from '../../../services/workflows/federation/join-federation.js';
import {
  type Federation,
  remoteFederation,
} from '../../../services/workflows/federation/remote-federation.js';
import type { TrainedEpoch } from '../../../services/workflows/federation/worker-home.js';
import { type Procedure, runProcedure } from '../../../study/federation/federated.js';
import { toyTexts, toyTraining } from '../../models/federation/toy-texts.js';

const WORKERS = ['a', 'b', 'c'];
const EPOCHS = 2;
const SELECTION = { ...FESTAG_SELECTION, downloadShare: 0.1 };
const signal = new AbortController().signal;

interface Worker {
  readonly training: LocalTraining;
  readonly federation: Federation;
}

let data: string;
let store: Store;
let server: RunningServer;
let workers: Map<string, Worker>;

beforeEach(async () => {
  await useBackend('native');
  data = mkdtempSync(path.join(tmpdir(), 'tacet-same-'));
});
afterEach(async () => {
  await server.close();
  await store.close();
  rmSync(data, { recursive: true });
  await useBackend('cpu');
});

/** Notes of other numbers, so that averaging weighs them. */
const trainingOf = (worker: number) =>
  toyTraining(toyTexts(4 + 2 * worker, worker + 1), { dropout: 0.3 });

/** A coordinator over HTTP, and a worker of each name. */
async function begin(procedure: FederationPlan['procedure'], lots: Random): Promise<void> {
  const first = trainingOf(0).weights();
  const plan = parseFederationPlan({
    ...{ format: 1, procedure, network: 'festag', seed: 1, epochs: EPOCHS },
    ...{ scheme: 'a'.repeat(64), embeddings: 'toy', weights: first.length },
    firstWeights: weightsDigest(first),
    ...{ workers: WORKERS, roundSeconds: null, guarantee: null },
  });
  await new FederationFolder(data).create(plan, first);
  store = await Store.open(data, { serve: true });
  const folder = new FederationFolder(data);
  const coordinator = await Coordinator.open(store, folder, Date.now, () => lots);
  const setting = { store, coordinator, logger: pino({ level: 'silent' }), limits: DEFAULT_LIMITS };
  server = await listen(createCoordinator(setting), {
    ...{ host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS },
  });
  workers = new Map();
  for (const [i, name] of WORKERS.entries()) {
    const client = new ServiceClient({
      ...{ baseUrl: server.url, token: (await tokenOf(name)).token },
    });
    const federation = remoteFederation(client, name, await keyOf(name), signal);
    workers.set(name, { training: trainingOf(i), federation });
  }
}

const tokenOf = (name: string) => store.tokens.create({ role: 'institution', name });

async function keyOf(name: string): Promise<KeyObject> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { keyId } = await store.identities.request(name, rawPublicKey(publicKey));
  await store.identities.approve(keyId);
  return privateKey;
}

/**
 * Says that all is over once one update was taken, so that workers can come in an order that is known. Nobody looks at what
 * they end such an epoch with.
 */
function forOneEpoch(federation: Federation): Federation {
  let isSent = false;
  return {
    ...federation,
    task: async () => (isSent ? { task: 'over', epoch: EPOCHS } : federation.task()),
    weights: (share) => (isSent ? federation.firstWeights() : federation.weights(share)),
    async upload(update, epoch, texts) {
      isSent = await federation.upload(update, epoch, texts);
      return isSent;
    },
  };
}

/** Every worker's epochs over HTTP, in the order and with the draws of an experiment of `random`. */
async function joinAll(random: Random, isShuffled: boolean): Promise<void> {
  const kept = new Map<string, TrainedEpoch>();
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    const draws = random.fork(`epoch/${epoch}`);
    const order = [...WORKERS];
    if (isShuffled) draws.shuffle(order);
    for (const name of order) {
      const { training, federation } = workers.get(name) as Worker;
      await joinFederation(forOneEpoch(federation), {
        ...{ plan: { ...(await federation.plan()), epochs: epoch }, training },
        ...{ selection: SELECTION, signal },
        home: {
          read: async () => kept.get(name),
          keep: async (trained) => void kept.set(name, trained),
        },
        random: { fork: () => draws.fork(name) },
      });
    }
  }
}

/** The networks of an experiment in memory, each as it ends. */
async function experiment(procedure: Procedure, random: Random): Promise<Float32Array[]> {
  const holders = WORKERS.map((name, i) => ({ name, training: trainingOf(i), heldOut: [] }));
  const central = { name: 'all', training: trainingOf(0), heldOut: [] };
  for await (const _ of runProcedure(procedure, { workers: holders, central }, EPOCHS, random, {}));
  return holders.map(({ training }) => training.weights());
}

const overHttp = async () => (await (workers.get('a') as Worker).federation.weights(1)).values;

test('averaging over HTTP ends with the weights that it ends with in memory', async () => {
  const random = new Random(7);
  await begin('averaging', random.fork('server'));
  await joinAll(random, false);
  const [first] = await experiment({ way: 'averaging' }, random);
  expect(await overHttp()).toEqual(first);
  expect(first).not.toEqual(trainingOf(0).weights());
});

test('a round robin over HTTP ends with the weights that it ends with in memory, but for rounding', async () => {
  const random = new Random(7);
  await begin('round-robin', random.fork('server'));
  await joinAll(random, false);
  const last = (await experiment({ way: 'round-robin' }, random)).at(-1) as Float32Array;
  // A coordinator adds changes, where a network that is passed on in memory is not taken apart.
  const apart = (await overHttp()).map((value, i) => Math.abs(value - (last[i] as number)));
  expect(Math.max(...apart)).toBeLessThan(1e-6);
});

test('selective SGD over HTTP leaves every worker the weights that it leaves it in memory', async () => {
  const random = new Random(7);
  await begin('selective', random.fork('server'));
  await joinAll(random, true);
  const all = await experiment({ way: 'selective', selection: SELECTION }, random);
  expect(WORKERS.map((name) => workers.get(name)?.training.weights())).toEqual(all);
});
