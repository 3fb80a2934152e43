import { MIXES } from './client-mixes.js';
import type { Measurement } from './measurement.js';
import { type PoolServer, startPoolServer } from './pool-server.js';
import { type BenchSegment, contribute, freeze, read, segments, upload } from './pool-traffic.js';

const CLIENTS = 64;
const SEGMENT_BYTES = 256 * 1024;
/** `TACET_BENCH_SECONDS=300` for the full run. */
const SECONDS = Number(process.env.TACET_BENCH_SECONDS ?? 20);
/** Sixty-four clients share one token here, and on a fast machine write some hundred MB/s. */
const LIMITS = {
  TACET_SERVE_REQUESTS_PER_MINUTE: '10000000',
  TACET_SERVE_OPEN_UPLOADS: '1000',
  TACET_SERVE_READINGS: '128',
};
/** `TACET_BENCH_JUDGING=yes` for a pool that knows the model and compares what it is given. */
const JUDGING = process.env.TACET_BENCH_JUDGING === 'yes';
const MOST_BYTES = Number(process.env.TACET_BENCH_GB ?? 2) * 1e9;
const FIRST_SEGMENTS = 64;

/**
 * Clients upload and contribute, or read a snapshot, or half of them each, all at once on loopback. Any
 * error ends the run. Milliseconds are of one upload with its contribution, and of one read.
 */
export async function* poolClientsBench(): AsyncGenerator<Measurement> {
  for (const [mix, writers] of Object.entries(MIXES)) yield* mixed(mix, writers);
}

async function* mixed(mix: string, writers: number): AsyncGenerator<Measurement> {
  const server = await startPoolServer(LIMITS, { judging: JUDGING });
  try {
    const supply = segments(SEGMENT_BYTES, { areReleases: JUDGING });
    const give = async () => {
      const segment = supply.next().value as BenchSegment;
      await upload(server, segment);
      await contribute(server, [segment]);
      return segment.bytes.length;
    };
    let written = 0;
    const giveOnce = async () => {
      const bytes = await give();
      written += bytes;
    };
    for (let i = 0; i < FIRST_SEGMENTS; i++) await giveOnce();
    const snapshot = await freeze(server);
    const start = performance.now();
    const goesOn = () => performance.now() < start + 1000 * SECONDS && written < MOST_BYTES;
    const uploads: number[] = [];
    const reads: number[] = [];
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const isWriter = client < writers * CLIENTS;
        while (goesOn()) {
          const begun = performance.now();
          if (isWriter) await giveOnce();
          else await read(server, snapshot, { format: 'protobuf', seed: client });
          (isWriter ? uploads : reads).push(performance.now() - begun);
        }
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    yield* rowsOf(`${mix}: contribute 256 KiB`, uploads, seconds);
    yield* rowsOf(`${mix}: read 16 MiB`, reads, seconds);
    yield await memory(server, mix);
  } finally {
    await server.close();
  }
}

function rowsOf(name: string, times: number[], seconds: number): Measurement[] {
  if (times.length === 0) return [];
  const sorted = times.sort((a, b) => a - b);
  return [0.5, 0.99].map((quantile) => ({
    bench: 'pool-clients',
    name: `${name}, ${CLIENTS} clients, p${100 * quantile}`,
    threads: 1,
    milliseconds: sorted[Math.floor(quantile * (sorted.length - 1))],
    spread: 0,
    rate: sorted.length / seconds,
    unit: '/s',
  }));
}

async function memory(server: PoolServer, mix: string): Promise<Measurement> {
  const { residentBytes: rate } = await server.usage();
  const name = `${mix}: resident at the end`;
  return { bench: 'pool-clients', name, threads: 1, milliseconds: 0, spread: 0, rate, unit: 'B' };
}
