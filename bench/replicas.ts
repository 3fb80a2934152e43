import { setTimeout as delay } from 'node:timers/promises';
import { MIXES } from './client-mixes.js';
import { LeastBusy } from './least-busy.js';
import type { Measurement } from './measurement.js';
import { type PoolServer, startPoolServers } from './pool-server.js';
import { type BenchSegment, contribute, freeze, read, segments, upload } from './pool-traffic.js';
import { SharedPlace } from './shared-place.js';

const CLIENTS = 64;
const REPLICAS = 3;
const SEGMENT_BYTES = 256 * 1024;
const FIRST_SEGMENTS = 32;
const SECONDS = Number(process.env.TACET_BENCH_SECONDS ?? 20);
/** What a gateway in memory holds of one run; `TACET_BENCH_GB` for one that has a disk (`GATEWAY_DISK`). */
const MOST_BYTES = Number(process.env.TACET_BENCH_GB ?? 0.6) * 1e9;
const RETRY_MS = 50;
const LIMITS = { TACET_SERVE_REQUESTS_PER_MINUTE: '10000000', TACET_SERVE_OPEN_UPLOADS: '1000' };

type Kind = 'contributed' | 'read';

interface Traffic extends Readonly<Record<Kind, readonly number[]>> {
  readonly seconds: number;
  /** Of all servers, those that were killed apart. */
  readonly cpuSeconds: number;
  readonly failures: number;
}

/**
 * 64 clients upload and contribute to a model that the pool knows, or read a snapshot, or half of them each, at one server and
 * at three on one PostgreSQL and one bucket (`test/scale/with-postgres`, `TACET_TEST_BLOBS`), in turn; then at three of which one is killed and started
 * again.
 */
export async function* replicasBench(): AsyncGenerator<Measurement> {
  for (const [mix, writers] of Object.entries(MIXES)) {
    const found: Record<number, Traffic[]> = { 1: [], [REPLICAS]: [] };
    for (const count of [1, REPLICAS, 1, REPLICAS]) {
      const traffic = await at(count, writers, false);
      if (!traffic) return;
      found[count]?.push(traffic);
      yield* rowsOf(`${mix}: ${count} of ${count} servers`, traffic);
    }
    const [one, several] = [found[1] as Traffic[], found[REPLICAS] as Traffic[]];
    for (const kind of ['contributed', 'read'] as const) {
      if (several[0]?.[kind].length === 0) continue;
      const rate = Math.round((100 * rateOf(several, kind)) / rateOf(one, kind));
      yield {
        ...{ bench: 'replicas', name: `${mix}: ${REPLICAS} servers to one, ${kind}`, threads: 1 },
        ...{ milliseconds: 0, spread: 0, rate, unit: '%' },
      };
    }
  }
  const killed = await at(REPLICAS, 0.5, true);
  if (killed) yield* rowsOf(`half and half: ${REPLICAS} servers, one killed`, killed);
}

async function at(count: number, writers: number, kills: boolean): Promise<Traffic | undefined> {
  const shared = await SharedPlace.given('replicas');
  if (!shared) return undefined;
  const servers = await startPoolServers(count, LIMITS, { place: shared, judging: true });
  try {
    return await traffic(servers, writers, kills);
  } finally {
    for (const each of servers) await each.close();
    await shared.drop();
  }
}

async function traffic(
  servers: readonly PoolServer[],
  writers: number,
  kills: boolean,
): Promise<Traffic> {
  const supply = segments(SEGMENT_BYTES, { areReleases: true });
  let [written, failures] = [0, 0];
  const balancer = new LeastBusy(servers);
  const give = async (segment: BenchSegment) => {
    await balancer.use((server) => upload(server, segment));
    await balancer.use((server) => contribute(server, [segment]));
  };
  const next = () => supply.next().value as BenchSegment;
  for (let i = 0; i < FIRST_SEGMENTS; i++) await give(next());
  const snapshot = await freeze(servers[0] as PoolServer);
  const usage = async () =>
    (await Promise.all(servers.map((server) => server.usage()))).map(
      ({ cpuSeconds }) => cpuSeconds,
    );
  const before = await usage();
  const start = performance.now();
  const end = start + 1000 * SECONDS;
  const times = { contributed: [] as number[], read: [] as number[] };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const isWriter = client < writers * CLIENTS;
    while (performance.now() < end && written < MOST_BYTES) {
      const begun = performance.now();
      const segment = isWriter ? next() : undefined;
      for (let done = false; !done; ) {
        try {
          if (segment) await give(segment);
          else {
            const query = { format: 'protobuf', seed: client };
            await balancer.use((server) => read(server, snapshot, query));
          }
          done = true;
        } catch (error) {
          if (!kills) throw error;
          failures++;
          await delay(RETRY_MS);
        }
      }
      written += segment?.bytes.length ?? 0;
      times[segment ? 'contributed' : 'read'].push(performance.now() - begun);
    }
  });
  const killing = kills && delay((1000 * SECONDS) / 3).then(() => servers[1]?.restart());
  await Promise.all([...clients, killing]);
  const seconds = (performance.now() - start) / 1000;
  const after = await usage();
  const used = after.map((cpu, i) => Math.max(0, cpu - (before[i] as number)));
  const cpuSeconds = used.reduce((sum, cpu) => sum + cpu, 0);
  return { contributed: times.contributed, read: times.read, seconds, cpuSeconds, failures };
}

/** Of all runs together, a second. */
function rateOf(runs: readonly Traffic[], kind: Kind): number {
  const sum = (of: (run: Traffic) => number) => runs.reduce((total, run) => total + of(run), 0);
  return sum((run) => run[kind].length) / sum(({ seconds }) => seconds);
}

function* rowsOf(name: string, found: Traffic): Generator<Measurement> {
  const of = { bench: 'replicas', threads: 1, spread: 0 };
  for (const kind of ['contributed', 'read'] as const) {
    const sorted = [...found[kind]].sort((a, b) => a - b);
    if (sorted.length === 0) continue;
    for (const quantile of [0.5, 0.99])
      yield {
        ...{ ...of, name: `${name}: ${kind}, p${100 * quantile}` },
        milliseconds: sorted[Math.floor(quantile * (sorted.length - 1))] as number,
        ...{ rate: Math.round((600 * sorted.length) / found.seconds) / 10, unit: '/min' },
      };
  }
  const busy = found.cpuSeconds / found.seconds;
  yield {
    ...of,
    name: `${name}: processors busy with servers`,
    milliseconds: 0,
    rate: Math.round(100 * busy),
    unit: '% of one',
  };
  yield {
    ...of,
    name: `${name}: tries that failed`,
    milliseconds: 0,
    rate: found.failures,
    unit: '',
  };
}
