import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { placeOf } from '../../../pool-store/blobs/blob-place.js';
import { S3Bucket } from '../../../pool-store/blobs/s3/bucket.js';
import { bucketPlace } from '../../../pool-store/blobs/s3/bucket-place.js';
import type { Store } from '../../../pool-store/store.js';
import { catalogFor, openStore } from '../../pool-store/opened-store.js';
import { type ServeOptions, type ServeProcess, spawnServe } from '../../services/serve-process.js';
import { createWorld, type World } from '../../services/world.js';
import { Balancer } from './balancer.js';
import { CatalogProxy } from './catalog-proxy.js';

export const REPLICAS = 3;
/** For so long a worker has a job without a word from it. */
export const JOB_SECONDS = 6;
const SILENT_MS = 2000;
const CLOCK = fileURLToPath(new URL('shifted-clock.js', import.meta.url));
const run = promisify(execFile);

type Service = 'registry' | 'pool';

/** Servers of one catalog and one bucket, each a registry and a pool, and what may befall them. */
export class Cluster {
  readonly #replicas: ServeProcess[] = [];
  /** One address for all of them. */
  readonly #balancers: Record<Service, Balancer>;

  #store: Store | undefined;

  private constructor(
    readonly world: World,
    readonly proxy: CatalogProxy,
    readonly folder: string,
  ) {
    const over = (service: Service) =>
      new Balancer(() => this.#replicas.map(({ addresses }) => addresses[service] ?? ''));
    this.#balancers = { registry: over('registry'), pool: over('pool') };
  }

  /** Of servers of this version, over a store that is opened. */
  static async start(): Promise<Cluster> {
    const cluster = await Cluster.#over(await createWorld());
    await cluster.openStore();
    for (let i = 0; i < REPLICAS; i++) await cluster.add();
    return cluster;
  }

  /** Of servers of another, built in `folder`, over a store that it made. */
  static async startBefore(folder: string): Promise<Cluster> {
    const made = await import(join(folder, 'dist/test/services/made-world.js'));
    const cluster = await Cluster.#over(await made.createWorld());
    for (let i = 0; i < REPLICAS; i++) await cluster.add(programOf(folder));
    return cluster;
  }

  static async #over(world: World): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'tacet-replicas-'));
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(join(folder, 'log.pem'), pem, { mode: 0o600 });
    const proxy = await CatalogProxy.before(String(process.env.TACET_TEST_CATALOG));
    const cluster = new Cluster(world, proxy, folder);
    for (const balancer of Object.values(cluster.#balancers)) await balancer.listen();
    return cluster;
  }

  /** Brings the catalog up to this version. */
  async openStore(): Promise<void> {
    this.#store = await openStore(this.world.data);
  }

  get store(): Store {
    if (this.#store) return this.#store;
    throw new Error('the store is not opened');
  }

  get size(): number {
    return this.#replicas.length;
  }

  /** One server more, beside the others; returns its number. */
  async add(program?: string): Promise<number> {
    const i = this.size;
    this.shiftClock(i, 0);
    this.#replicas.push(await this.#begin(i, { program }));
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

  /** Whichever of them answers there. */
  get anyOf(): Record<Service, string> {
    const { registry, pool } = this.#balancers;
    return { registry: registry.address, pool: pool.address };
  }

  /** The number of the one that leads, which alone tells totals; undefined where none says so. */
  async leader(): Promise<number | undefined> {
    const headers = { Authorization: `Bearer ${this.world.tokens.monitor}` };
    for (const [i, { addresses }] of this.#replicas.entries()) {
      const signal = AbortSignal.timeout(SILENT_MS);
      const metrics = await fetch(`${addresses.pool}/metrics`, { headers, signal })
        .then((answer) => answer.text())
        .catch(() => '');
      if (/^tacet_contributions\{/m.test(metrics)) return i;
    }
    return undefined;
  }

  /** Ends a server at once and starts it again where it was, its clock set right: it would refuse to start with a wrong one. */
  async restart(i: number): Promise<void> {
    const { addresses } = this.#replicas[i] as ServeProcess;
    await this.#replicas[i]?.kill();
    await this.#beginAgain(i, addresses);
  }

  /** Asks a server to end and starts one of this version, or of another, where it was; returns the first's exit status. */
  async replace(i: number, program?: string): Promise<number | null> {
    const { addresses, stop } = this.#replicas[i] as ServeProcess;
    const status = await stop();
    await this.#beginAgain(i, addresses, program);
    return status;
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

  /** Keys of the parts of uploads that are in the bucket. */
  async incoming(): Promise<string[]> {
    const bucket = new S3Bucket(bucketPlace(placeOf(this.world.data)));
    const keys: string[] = [];
    for await (const { key } of bucket.list('incoming/')) keys.push(key);
    await bucket.close();
    return keys;
  }

  async end(): Promise<void> {
    for (const replica of this.#replicas) await replica.kill();
    for (const each of [...Object.values(this.#balancers), this.proxy]) each.close();
    await this.#store?.close();
    this.world.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #beginAgain(
    i: number,
    { registry = '', pool }: ServeProcess['addresses'],
    program?: string,
  ): Promise<void> {
    this.shiftClock(i, 0);
    const [registryPort, port] = [registry, pool].map((url) => Number(new URL(url).port));
    this.#replicas[i] = await this.#begin(i, { port, registryPort, program });
  }

  /** On a directory of its own. */
  async #begin(
    i: number,
    { port, registryPort = 0, program }: ServeOptions = {},
  ): Promise<ServeProcess> {
    const place = await catalogFor(this.world.data);
    if (!place) throw new Error('no catalog that several can serve');
    const environment = {
      TACET_SERVE_BLOBS: placeOf(this.world.data),
      TACET_SERVE_LOG_KEY: join(this.folder, 'log.pem'),
      TACET_SERVE_OPEN_UPLOADS: '1000',
      TACET_SERVE_REQUESTS_PER_MINUTE: '100000',
      TACET_SERVE_JOB_SECONDS: String(JOB_SECONDS),
      TACET_TEST_CLOCK: this.#clockOf(i),
      NODE_OPTIONS: `--import=${CLOCK}`,
    };
    mkdirSync(this.#directoryOf(i), { recursive: true });
    const catalog = { url: this.proxy.through(place.url) };
    return spawnServe(this.#directoryOf(i), { port, registryPort, program, environment, catalog });
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

/** Of a version that is built in a folder. */
function programOf(folder: string): string {
  return join(folder, 'dist/services/cli/main.js');
}

function gatewayDirectory(): string {
  return String(process.env.TACET_TEST_GATEWAY);
}
