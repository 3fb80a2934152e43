import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { placeOf } from '../../../pool-store/blobs/blob-place.js';
import type { Store } from '../../../pool-store/store.js';
import { catalogFor, openStore } from '../../pool-store/opened-store.js';
import { type ServeProcess, spawnServe } from '../../services/serve-process.js';
import { createWorld, type World } from '../../services/world.js';
import { CatalogProxy } from './catalog-proxy.js';

export const REPLICAS = 3;
const CLOCK = fileURLToPath(new URL('shifted-clock.js', import.meta.url));
const run = promisify(execFile);

/** Servers of one catalog and one bucket, and what may befall them. */
export class Cluster {
  readonly #replicas: ServeProcess[] = [];

  private constructor(
    readonly world: World,
    readonly store: Store,
    readonly proxy: CatalogProxy,
    readonly folder: string,
  ) {}

  static async start(): Promise<Cluster> {
    const world = await createWorld();
    const store = await openStore(world.data);
    const folder = mkdtempSync(join(tmpdir(), 'tacet-replicas-'));
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(join(folder, 'log.pem'), pem, { mode: 0o600 });
    const proxy = await CatalogProxy.before(String(process.env.TACET_TEST_CATALOG));
    const cluster = new Cluster(world, store, proxy, folder);
    for (let i = 0; i < REPLICAS; i++) await cluster.add();
    return cluster;
  }

  /** One server more, beside the others; returns its number. */
  async add(): Promise<number> {
    const i = this.#replicas.length;
    this.shiftClock(i, 0);
    this.#replicas.push(await this.#begin(i));
    return i;
  }

  /** Asks the last one to end; returns its exit status. */
  async removeLast(): Promise<number | null> {
    return (await this.#replicas.pop()?.stop()) ?? null;
  }

  address(i: number): string {
    return this.#replicas[i]?.addresses.pool ?? '';
  }

  signal(i: number, name: NodeJS.Signals): void {
    this.#replicas[i]?.signal(name);
  }

  /** Ends a server at once and starts it again where it was, its clock set right: it would refuse to start with a wrong one. */
  async restart(i: number): Promise<void> {
    const port = Number(new URL(this.address(i)).port);
    await this.#replicas[i]?.kill();
    this.shiftClock(i, 0);
    this.#replicas[i] = await this.#begin(i, port);
  }

  async restartDatabase(): Promise<void> {
    await this.#database('kill');
    await this.#database('revive');
  }

  /** All its processes, for so long. */
  async holdDatabase(milliseconds: number): Promise<void> {
    await this.#database('hold');
    await delay(milliseconds);
    await this.#database('let-go');
  }

  async restartGateway(): Promise<void> {
    this.#signalGateway('SIGKILL');
    await run('test/scale/object-gateway', ['revive', gatewayDirectory()]);
  }

  async holdGateway(milliseconds: number): Promise<void> {
    this.#signalGateway('SIGSTOP');
    await delay(milliseconds);
    this.#signalGateway('SIGCONT');
  }

  /** Sets the clock of a server off by so many milliseconds. */
  shiftClock(i: number, milliseconds: number): void {
    writeFileSync(this.#clockOf(i), String(milliseconds));
  }

  /** Names of the blobs of which a server keeps a copy. */
  cached(i: number): string[] {
    try {
      return readdirSync(join(this.#directoryOf(i), 'cache'));
    } catch {
      return [];
    }
  }

  async end(): Promise<void> {
    for (const replica of this.#replicas) await replica.kill();
    this.proxy.close();
    await this.store.close();
    this.world.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** On a directory of its own. */
  async #begin(i: number, port = 0): Promise<ServeProcess> {
    const place = await catalogFor(this.world.data);
    if (!place) throw new Error('no catalog that several can serve');
    const environment = {
      TACET_SERVE_BLOBS: placeOf(this.world.data),
      TACET_SERVE_LOG_KEY: join(this.folder, 'log.pem'),
      TACET_SERVE_OPEN_UPLOADS: '1000',
      TACET_SERVE_REQUESTS_PER_MINUTE: '100000',
      TACET_TEST_CLOCK: this.#clockOf(i),
      NODE_OPTIONS: `--import=${CLOCK}`,
    };
    mkdirSync(this.#directoryOf(i), { recursive: true });
    const catalog = this.proxy.through(place.url);
    return spawnServe(this.#directoryOf(i), port, environment, { url: catalog });
  }

  async #database(verb: string): Promise<void> {
    await run('test/scale/postgres-server', [verb, String(process.env.TACET_TEST_POSTGRES)]);
  }

  #signalGateway(name: NodeJS.Signals): void {
    process.kill(Number(readFileSync(join(gatewayDirectory(), 'gateway.pid'), 'utf8')), name);
  }

  #directoryOf(i: number): string {
    return join(this.folder, `replica-${i}`);
  }

  #clockOf(i: number): string {
    return join(this.folder, `clock-${i}`);
  }
}

function gatewayDirectory(): string {
  return String(process.env.TACET_TEST_GATEWAY);
}
