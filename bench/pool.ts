import { machineRates } from './machine-rates.js';
import type { Measurement } from './measurement.js';
import { type PoolServer, poolParent, startPoolServer } from './pool-server.js';
import { type BenchSegment, contribute, freeze, read, segments, upload } from './pool-traffic.js';

const SEGMENT_BYTES = 32 * 1024 * 1024;
/** `TACET_BENCH_GB=5` for the full run. */
const INGEST_BYTES = Number(process.env.TACET_BENCH_GB ?? 2) * 1e9;
const READS = 2;
const NDJSON_BYTES = 100e6;
/** Asking a server what it has used costs it something. */
const SAMPLES = 16;

/** Bytes, and the server's use of processor and memory, from one sample to the next. */
interface Series {
  readonly bytes: number[];
  readonly cpuSeconds: number[];
  readonly wallSeconds: number[];
  readonly residentBytes: number[];
}

/**
 * Ingest and snapshot reads through HTTP on loopback, on a directory in memory. Rates are by second
 * of processor time of the server alone, so that a busy machine and the client count for nothing.
 */
export async function* poolBench(): AsyncGenerator<Measurement> {
  yield* machineRates('pool', { parent: poolParent(), bytes: INGEST_BYTES });
  const server = await startPoolServer();
  try {
    const given: Omit<BenchSegment, 'bytes'>[] = [];
    const supply = segments(SEGMENT_BYTES);
    const ingest = await observe(server, Math.ceil(INGEST_BYTES / SEGMENT_BYTES), async () => {
      const { value } = supply.next();
      const { bytes, ...segment } = value as BenchSegment;
      await upload(server, { bytes, ...segment });
      given.push(segment);
      return bytes.length;
    });
    yield* rowsOf('ingest', ingest);
    await contribute(server, given);
    const snapshot = await freeze(server);
    const protobuf = await observe(server, READS, (seed) =>
      read(server, snapshot, { format: 'protobuf', seed }),
    );
    yield* rowsOf('read, protobuf', protobuf);
    const arrow = await observe(server, READS, (seed) =>
      read(server, snapshot, { format: 'arrow', seed }),
    );
    yield* rowsOf('read, Arrow', arrow);
    const ndjson = await observe(server, READS, (seed) =>
      read(server, snapshot, { format: 'ndjson', seed, most: NDJSON_BYTES }),
    );
    yield* rowsOf('read, NDJSON', ndjson);
  } finally {
    await server.close();
  }
}

async function observe(
  server: PoolServer,
  pieces: number,
  run: (piece: number) => Promise<number>,
): Promise<Series> {
  const series: Series = { bytes: [], cpuSeconds: [], wallSeconds: [], residentBytes: [] };
  let before = await server.usage();
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
  return series;
}

/** The rate over all, that of the second half alone, and the memory at the middle and at most. */
function rowsOf(name: string, { bytes, cpuSeconds, wallSeconds, residentBytes }: Series) {
  const half = Math.floor(bytes.length / 2);
  const rate = (from: number) => total(bytes.slice(from)) / total(cpuSeconds.slice(from));
  const of = { bench: 'pool', threads: 1, milliseconds: 1000 * total(wallSeconds), spread: 0 };
  const gigabytes = (total(bytes) / 1e9).toFixed(1);
  return [
    { ...of, name: `${name}, ${gigabytes} GB, a core`, rate: rate(0), unit: 'B/s' },
    { ...of, name: `${name}, second half`, rate: rate(half), unit: 'B/s' },
    { ...of, name: `${name}, resident at the middle`, rate: residentBytes[half], unit: 'B' },
    { ...of, name: `${name}, resident at most`, rate: Math.max(...residentBytes), unit: 'B' },
  ];
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
