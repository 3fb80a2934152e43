import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Store } from '../../../pool-store/store.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { type FederationPlan, parseFederationPlan } from '../../../proto/federation-plan.js';
import { ServiceClient } from '../../../services/client/client.js';
import { Coordinator } from '../../../services/federation/coordinator.js';
import { createCoordinator } from '../../../services/federation/coordinator-app.js';
import { FederationFolder } from '../../../services/federation/coordinator-state.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { listen, type RunningServer } from '../../../services/http/server.js';
import { remoteFederation } from '../../../services/workflows/federation/remote-federation.js';

export const WORKERS = ['north', 'south'];
/** Who runs the coordinator, and signs nothing. */
const OPERATOR = 'operator';
/** The weights that every federation begins with. */
export const START = Float32Array.of(0, 0, 1, 1);

const signal = new AbortController().signal;

export function planOf(changes: Partial<FederationPlan>): FederationPlan {
  return parseFederationPlan({
    ...{ format: 1, procedure: 'averaging', network: 'festag', seed: 1, epochs: 2 },
    ...{ scheme: 'a'.repeat(64), embeddings: 'vectors', weights: START.length },
    ...{ workers: WORKERS, roundSeconds: null, guarantee: null },
    ...changes,
  });
}

/** The change of every weight. */
export const change = (...values: number[]) => ({ values: Float32Array.from(values) });

/** A coordinator over HTTP in a directory of its own, with workers that it knows, and a stranger whose key is approved. */
export class RunningCoordinator {
  readonly data = mkdtempSync(join(tmpdir(), 'tacet-federation-'));
  readonly keys: Record<string, KeyObject> = {};
  /** What its clock shows, in milliseconds. */
  time = 0;
  store!: Store;
  server!: RunningServer;
  readonly #tokens: Record<string, string> = {};

  private constructor() {}

  static async prepare(): Promise<RunningCoordinator> {
    const running = new RunningCoordinator();
    const store = await Store.open(running.data);
    for (const name of [...WORKERS, 'stranger']) {
      running.#tokens[name] = (await store.tokens.create({ role: 'institution', name })).token;
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const { keyId } = await store.identities.request(name, rawPublicKey(publicKey));
      await store.identities.approve(keyId);
      running.keys[name] = privateKey;
    }
    const operator = { role: 'admin', name: OPERATOR } as const;
    running.#tokens[OPERATOR] = (await store.tokens.create(operator)).token;
    await store.close();
    return running;
  }

  async begin(changes: Partial<FederationPlan>): Promise<void> {
    await new FederationFolder(this.data).create(planOf(changes), START);
    await this.start();
  }

  async start(): Promise<void> {
    const { data } = this;
    this.store = await Store.open(data, { serve: true });
    const { store } = this;
    const folder = new FederationFolder(data);
    const coordinator = await Coordinator.open(store, folder, () => this.time);
    const logger = pino({ level: 'silent' });
    const app = createCoordinator({ store, coordinator, logger, limits: DEFAULT_LIMITS });
    this.server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
  }

  async stop(): Promise<void> {
    await this.server?.close();
    await this.store?.close();
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.data, { recursive: true });
  }

  clientOf(name: string): ServiceClient {
    return new ServiceClient({ baseUrl: this.server.url, token: this.#tokens[name] ?? '' });
  }

  as(name: string) {
    return remoteFederation(this.clientOf(name), name, this.keys[name] as KeyObject, signal);
  }

  async weights(): Promise<number[]> {
    return [...(await this.as(OPERATOR).weights(1)).values];
  }
}
