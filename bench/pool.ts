import { machineRates } from './machine-rates.js';
import type { Measurement } from './measurement.js';
import { type PoolServer, poolParent, startPoolServer, startPoolServers } from './pool-server.js';
import { type BenchSegment, contribute, freeze, read, segments, upload } from './pool-traffic.js';
import { SharedPlace } from './shared-place.js';

const SEGMENT_BYTES = 32 * 1024 * 1024;
/** `TACET_BENCH_GB=5` for the full run. */
const INGEST_BYTES = Number(process.env.TACET_BENCH_GB ?? 2) * 1e9;
const READS = 2;
const NDJSON_BYTES = 100e6;
/** Asking a server what it has used costs it something. */
const SAMPLES = 16;

/** Bytes, and the server's use of the processor, from one sample to the next; its memory at the end of one, and at most. */
interface Series {
  readonly bytes: number[];
  readonly cpuSeconds: number[];
  readonly wallSeconds: number[];
  readonly residentBytes: number[];
  readonly mostResidentBytes: number;
}

/**
 * Ingest and snapshot reads through HTTP on loopback, on a directory in memory. Rates are by second
 * of processor time of the server alone, so that a busy machine and the client count for nothing.
 */
export async function* poolBench(): AsyncGenerator<Measurement> {
  yield* machineRates('pool', { parent: poolParent(), bytes: INGEST_BYTES });
  const server = await startPoolServer();
  try {
    yield* through(server, 'pool');
  } finally {
    await server.close();
  }
}

/**
 * The same with the catalog in PostgreSQL and the bytes in a bucket (`test/scale/with-postgres`, `TACET_TEST_BLOBS`), which is
 * what the server then waits for: by the clock, the rate is theirs.
 */
export async function* sharedPoolBench(): AsyncGenerator<Measurement> {
  const shared = await SharedPlace.given('shared-pool');
  if (!shared) return;
  const [server] = (await startPoolServers(1, {}, { place: shared })) as [PoolServer];
  try {
    yield* through(server, 'shared-pool');
  } finally {
    await server.close();
    await shared.drop();
  }
}

async function* through(server: PoolServer, bench: string): AsyncGenerator<Measurement> {
  const given: Omit<BenchSegment, 'bytes'>[] = [];
  const supply = segments(SEGMENT_BYTES);
  const ingest = await observe(server, Math.ceil(INGEST_BYTES / SEGMENT_BYTES), async () => {
    const { value } = supply.next();
    const { bytes, ...segment } = value as BenchSegment;
    await upload(server, { bytes, ...segment });
    given.push(segment);
    return bytes.length;
  });
  yield* rowsOf(bench, 'ingest', ingest);
  await contribute(server, given);
  const snapshot = await freeze(server);
  const protobuf = await observe(server, READS, (seed) =>
    read(server, snapshot, { format: 'protobuf', seed }),
  );
  yield* rowsOf(bench, 'read, protobuf', protobuf);
  const arrow = await observe(server, READS, (seed) =>
    read(server, snapshot, { format: 'arrow', seed }),
  );
  yield* rowsOf(bench, 'read, Arrow', arrow);
  const ndjson = await observe(server, READS, (seed) =>
    read(server, snapshot, { format: 'ndjson', seed, most: NDJSON_BYTES }),
  );
  yield* rowsOf(bench, 'read, NDJSON', ndjson);
}

async function observe(
  server: PoolServer,
  pieces: number,
  run: (piece: number) => Promise<number>,
): Promise<Series> {
  const series = {
    bytes: [] as number[],
    cpuSeconds: [] as number[],
    wallSeconds: [] as number[],
    residentBytes: [] as number[],
  };
  let before = await server.usage();
  server.mostResidentBytes();
  const aSample = Math.ceil(pieces / SAMPLES);
  for (let piece = 0; piece < pieces; ) {
    const start = performance.now();
    let bytes = 0;
    const end = Math.min(pieces, piece + aSample);
    for (; piece < end; piece++) bytes += await run(piece);
    series.bytes.push(bytes);
    series.wallSeconds.push((performance.now() - start) / 1000);
    const after = await server.usage();
    series.cpuSeconds.push(after.cpuSeconds - before.cpuSeconds);
    series.residentBytes.push(after.residentBytes);
    before = after;
  }
  return { ...series, mostResidentBytes: server.mostResidentBytes() };
}

/** The rate over all, that of the second half alone, and the memory at the middle and at most. */
function rowsOf(bench: string, name: string, series: Series): Measurement[] {
  const { bytes, cpuSeconds, wallSeconds, residentBytes, mostResidentBytes } = series;
  const half = Math.floor(bytes.length / 2);
  const rate = (seconds: readonly number[], from = 0) =>
    total(bytes.slice(from)) / total(seconds.slice(from));
  const of = { bench, threads: 1, milliseconds: 1000 * total(wallSeconds), spread: 0 };
  const gigabytes = (total(bytes) / 1e9).toFixed(1);
  return [
    { ...of, name: `${name}, ${gigabytes} GB, a core`, rate: rate(cpuSeconds), unit: 'B/s' },
    { ...of, name: `${name}, second half`, rate: rate(cpuSeconds, half), unit: 'B/s' },
    { ...of, name: `${name}, by the clock`, rate: rate(wallSeconds), unit: 'B/s' },
    { ...of, name: `${name}, resident at the middle`, rate: residentBytes[half] ?? 0, unit: 'B' },
    { ...of, name: `${name}, resident at most`, rate: mostResidentBytes, unit: 'B' },
  ];
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
