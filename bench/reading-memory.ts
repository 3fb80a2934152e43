import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { PATHS, pathTo } from '../proto/paths.js';
import type { Measurement } from './measurement.js';
import { type PoolServer, startPoolServer, startPoolServers } from './pool-server.js';
import { type BenchSegment, contribute, freeze, segments, upload } from './pool-traffic.js';
import { SharedPlace } from './shared-place.js';

const SEGMENT_BYTES = 32 * 1024 * 1024;
const SEGMENTS = 32;
/** More than a window, so that a reading holds what it streams and what it reads ahead. */
const TAKEN_BYTES = 20e6;
/** One token has a half of the 64 places. */
const READINGS = [8, 16, 32];
const SETTLED_MS = 3000;
/** Nothing of a snapshot fits, so that it is read from the bucket. */
const NO_CACHE = { TACET_SERVE_CACHE_BYTES: '1' };

/**
 * What a server holds for each snapshot that is being read, on a directory in memory and, where `TACET_TEST_CATALOG` and
 * `TACET_TEST_BLOBS` name them, with PostgreSQL and a bucket: readers take part of a GB and then wait.
 */
export async function* readingMemoryBench(): AsyncGenerator<Measurement> {
  const server = await startPoolServer();
  try {
    yield* heldBy(server, 'a disk');
  } finally {
    await server.close();
  }
  const shared = await SharedPlace.given('reading-memory');
  if (!shared) return;
  const [other] = (await startPoolServers(1, NO_CACHE, { place: shared })) as [PoolServer];
  try {
    yield* heldBy(other, 'a bucket');
  } finally {
    await other.close();
    await shared.drop();
  }
}

async function* heldBy(server: PoolServer, where: string): AsyncGenerator<Measurement> {
  const row = (name: string, rate: number): Measurement => ({
    ...{ bench: 'reading-memory', name: `${where}: ${name}`, threads: 1 },
    ...{ milliseconds: 0, spread: 0, rate, unit: 'B' },
  });
  const given: Omit<BenchSegment, 'bytes'>[] = [];
  for (const segment of segments(SEGMENT_BYTES)) {
    await upload(server, segment);
    given.push({ digest: segment.digest, sentences: segment.sentences });
    if (given.length === SEGMENTS) break;
  }
  await contribute(server, given);
  const snapshot = await freeze(server);
  const readings: ClientRequest[] = [];
  const resident = async () => {
    await delay(SETTLED_MS);
    return (await server.usage()).residentBytes;
  };
  const before = await resident();
  yield row('resident without a reading', before);
  try {
    for (const count of READINGS) {
      while (readings.length < count) readings.push(await begun(server, snapshot, readings.length));
      const after = await resident();
      yield row(`resident with ${count} readings that wait`, after);
      yield row('... more for each', (after - before) / count);
    }
  } finally {
    for (const reading of readings) reading.destroy();
  }
}

/** A reading that was taken so much of, and waits. */
async function begun(
  { url, tokens }: PoolServer,
  snapshot: string,
  seed: number,
): Promise<ClientRequest> {
  const path = pathTo(PATHS.snapshotSentences, { id: snapshot });
  const headers = { Authorization: `Bearer ${tokens.consumer}` };
  const request = get(`${url}${path}?format=protobuf&seed=${seed}`, { headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`a reading is answered ${answer.statusCode}`);
  await new Promise<void>((resolve, reject) => {
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes < TAKEN_BYTES) return;
      answer.pause();
      resolve();
    });
    answer.once('error', reject);
  });
  // It is cut off in the end.
  answer.on('error', () => {});
  return request;
}
