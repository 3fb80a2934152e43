import type { Measurement } from './measurement.js';
import { type PoolServer, startPoolServer } from './pool-server.js';
import { type BenchSegment, contribute, freeze, read, segments, upload } from './pool-traffic.js';

const CLIENTS = 64;
const SEGMENT_BYTES = 256 * 1024;
/** `TACET_BENCH_SECONDS=300` for the full run. */
const SECONDS = Number(process.env.TACET_BENCH_SECONDS ?? 20);
/** Sixty-four clients share one token here, and on a fast machine write some hundred MB/s. */
const LIMITS = { TACET_SERVE_REQUESTS_PER_MINUTE: '10000000', TACET_SERVE_OPEN_UPLOADS: '1000' };
const MOST_BYTES = Number(process.env.TACET_BENCH_GB ?? 2) * 1e9;
const FIRST_SEGMENTS = 64;

/**
 * Half of the clients upload and contribute, half read a snapshot, all at once on loopback. Any
 * error ends the run. Milliseconds are of one upload with its contribution, and of one read.
 */
export async function* poolClientsBench(): AsyncGenerator<Measurement> {
  const server = await startPoolServer(LIMITS);
  try {
    const supply = segments(SEGMENT_BYTES);
    const give = async () => {
      const segment = supply.next().value as BenchSegment;
      await upload(server, segment);
      await contribute(server, [segment]);
      return segment.bytes.length;
    };
    let written = 0;
    for (let i = 0; i < FIRST_SEGMENTS; i++) written += await give();
    const snapshot = await freeze(server);
    const end = performance.now() + 1000 * SECONDS;
    const goesOn = () => performance.now() < end && written < MOST_BYTES;
    const uploads: number[] = [];
    const reads: number[] = [];
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const isWriter = client % 2 === 0;
        while (goesOn()) {
          const start = performance.now();
          if (isWriter) written += await give();
          else await read(server, snapshot, { format: 'protobuf', seed: client });
          (isWriter ? uploads : reads).push(performance.now() - start);
        }
      }),
    );
    yield* rowsOf('contribute 256 KiB', uploads);
    yield* rowsOf('read 16 MiB', reads);
    yield await memory(server);
  } finally {
    await server.close();
  }
}

function rowsOf(name: string, times: number[]): Measurement[] {
  const sorted = times.sort((a, b) => a - b);
  return [0.5, 0.99].map((quantile) => ({
    bench: 'pool-clients',
    name: `${name}, ${CLIENTS} clients, p${100 * quantile}`,
    threads: 1,
    milliseconds: sorted[Math.floor(quantile * (sorted.length - 1))],
    spread: 0,
    rate: sorted.length / SECONDS,
    unit: '/s',
  }));
}

async function memory(server: PoolServer): Promise<Measurement> {
  const { residentBytes: rate } = await server.usage();
  const name = 'resident at the end';
  return { bench: 'pool-clients', name, threads: 1, milliseconds: 0, spread: 0, rate, unit: 'B' };
}
