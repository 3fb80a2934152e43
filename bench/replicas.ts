import { setTimeout as delay } from 'node:timers/promises';
import { COMPARED_SEGMENTS } from '../services/pool/samples.js';
import { MIXES } from './client-mixes.js';
import { LeastBusy } from './least-busy.js';
import type { Measurement } from './measurement.js';
import { type PoolServer, startPoolServers } from './pool-server.js';
import { type BenchSegment, contribute, freeze, read, segments, upload } from './pool-traffic.js';
import { SharedPlace } from './shared-place.js';

const CLIENTS = 64;
const REPLICAS = 3;
const ROUNDS = 2;
const SEGMENT_BYTES = 256 * 1024;
/** That are read. */
const FIRST_SEGMENTS = 32;
const FILLING_BYTES = 64 * 1024;
const SECONDS = Number(process.env.TACET_BENCH_SECONDS ?? 20);
/** What a gateway in memory holds of one run; `TACET_BENCH_GB` for one that has a disk (`GATEWAY_DISK`). */
const MOST_BYTES = Number(process.env.TACET_BENCH_GB ?? 0.6) * 1e9;
const RETRY_MS = 50;
const LIMITS = {
  TACET_SERVE_REQUESTS_PER_MINUTE: '10000000',
  TACET_SERVE_OPEN_UPLOADS: '1000',
  TACET_SERVE_READINGS: '128',
};

type Kind = 'contributed' | 'read';

interface Traffic extends Readonly<Record<Kind, readonly number[]>> {
  readonly seconds: number;
  /** Of all servers, those that were killed apart. */
  readonly cpuSeconds: number;
  readonly failures: number;
}

/** As many servers of one pool, or of a pool each, which have nothing but the machine in common. */
interface Setting {
  readonly servers: number;
  readonly areApart?: boolean;
  readonly writers: number;
  readonly kills?: boolean;
}

/**
 * 64 clients upload and contribute to a model that the pool knows, or read a snapshot, or half of them each, at one server, at
 * three, and at three pools of one, on one PostgreSQL and one bucket (`test/scale/with-postgres`, `TACET_TEST_BLOBS`), in turn; then at three servers
 * of which one is killed and started again.
 */
export async function* replicasBench(): AsyncGenerator<Measurement> {
  for (const [mix, writers] of Object.entries(MIXES)) {
    const settings = {
      '1 server': { servers: 1, writers },
      [`${REPLICAS} servers`]: { servers: REPLICAS, writers },
      [`${REPLICAS} pools`]: { servers: REPLICAS, areApart: true, writers },
    };
    const found = new Map<string, Traffic[]>(Object.keys(settings).map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, setting] of Object.entries(settings)) {
        const traffic = await at(setting);
        if (!traffic) return;
        found.get(name)?.push(traffic);
        yield* rowsOf(`${mix}: ${name}`, traffic);
      }
    }
    const several = found.get(`${REPLICAS} servers`) as Traffic[];
    for (const [name, others] of found) {
      if (others === several) continue;
      for (const kind of ['contributed', 'read'] as const) {
        if (several[0]?.[kind].length === 0) continue;
        const rate = Math.round((100 * rateOf(several, kind)) / rateOf(others, kind));
        yield {
          ...{ bench: 'replicas', name: `${mix}: ${REPLICAS} servers to ${name}, ${kind}` },
          ...{ threads: 1, milliseconds: 0, spread: 0, rate, unit: '%' },
        };
      }
    }
  }
  const killed = await at({ servers: REPLICAS, writers: 0.5, kills: true });
  if (killed) yield* rowsOf(`half and half: ${REPLICAS} servers, one killed`, killed);
}

async function at(setting: Setting): Promise<Traffic | undefined> {
  const { servers: count, areApart = false } = setting;
  const places: SharedPlace[] = [];
  const pools: PoolServer[][] = [];
  try {
    for (let i = 0; i < (areApart ? count : 1); i++) {
      const place = await SharedPlace.given(`replicas-${i}`);
      if (!place) return undefined;
      places.push(place);
      pools.push(await startPoolServers(areApart ? 1 : count, LIMITS, { place, judging: true }));
    }
    return await traffic(pools, setting);
  } finally {
    for (const server of pools.flat()) await server.close();
    for (const place of places) await place.drop();
  }
}

/** What the clients of one pool work with. */
interface Pool {
  readonly balancer: LeastBusy<PoolServer>;
  readonly snapshot: string;
}

async function traffic(
  pools: readonly PoolServer[][],
  { writers, kills = false }: Setting,
): Promise<Traffic> {
  const supply = segments(SEGMENT_BYTES, { areReleases: true });
  let [written, failures] = [0, 0];
  const give = async (balancer: LeastBusy<PoolServer>, segment: BenchSegment) => {
    await balancer.use((server) => upload(server, segment));
    await balancer.use((server) => contribute(server, [segment]));
  };
  const next = () => supply.next().value as BenchSegment;
  const filled: Pool[] = [];
  for (const servers of pools) {
    const balancer = new LeastBusy(servers);
    for (let i = 0; i < FIRST_SEGMENTS; i++) await give(balancer, next());
    filled.push({ balancer, snapshot: await freeze(servers[0] as PoolServer) });
    if (writers > 0) await fill((segment) => give(balancer, segment));
  }
  const usage = async () =>
    (await Promise.all(pools.flat().map((server) => server.usage()))).map(
      ({ cpuSeconds }) => cpuSeconds,
    );
  const before = await usage();
  const start = performance.now();
  const end = start + 1000 * SECONDS;
  const times = { contributed: [] as number[], read: [] as number[] };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const isWriter = client < writers * CLIENTS;
    const { balancer, snapshot } = filled[client % filled.length] as Pool;
    while (performance.now() < end && written < MOST_BYTES) {
      const begun = performance.now();
      const segment = isWriter ? next() : undefined;
      for (let done = false; !done; ) {
        try {
          if (segment) await give(balancer, segment);
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
  const killing = kills && delay((1000 * SECONDS) / 3).then(() => pools[0]?.[1]?.restart());
  await Promise.all([...clients, killing]);
  const seconds = (performance.now() - start) / 1000;
  const after = await usage();
  const used = after.map((cpu, i) => Math.max(0, cpu - (before[i] as number)));
  const cpuSeconds = used.reduce((sum, cpu) => sum + cpu, 0);
  return { contributed: times.contributed, read: times.read, seconds, cpuSeconds, failures };
}

/** With as many segments as a new one is compared with, so that one costs as much at the end of a run as at its beginning. */
async function fill(give: (segment: BenchSegment) => Promise<void>): Promise<void> {
  const supply = segments(FILLING_BYTES, { areReleases: true });
  let given = FIRST_SEGMENTS;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (given++ < COMPARED_SEGMENTS) await give(supply.next().value as BenchSegment);
    }),
  );
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
