import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measurement } from './measurement.js';

const BYTES = 128 * 2 ** 20;
const PIECE_BYTES = 256 * 1024;

/** What bounds the ingest of a pool: hashing and copying by second of processor time, the disk by the clock. */
export function* machineRates(bench: string): Generator<Measurement> {
  const piece = Buffer.alloc(PIECE_BYTES, 1);
  const target = Buffer.alloc(PIECE_BYTES);
  const hash = createHash('sha256');
  yield rate(bench, 'hashing, SHA-256, a core', cpuMs, () => hash.update(piece));
  yield rate(bench, 'copying, a core', cpuMs, () => target.set(piece));
  const directory = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
  const file = openSync(join(directory, 'file'), 'w');
  try {
    yield rate(
      bench,
      'writing to disk, with fsync',
      () => performance.now(),
      () => writeSync(file, piece),
      () => fsyncSync(file),
    );
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}

function rate(
  bench: string,
  name: string,
  clockMs: () => number,
  work: () => unknown,
  end: () => void = () => {},
): Measurement {
  const start = clockMs();
  for (let done = 0; done < BYTES; done += PIECE_BYTES) work();
  end();
  const milliseconds = clockMs() - start;
  return {
    ...{ bench, name, threads: 1, milliseconds, spread: 0, unit: 'B/s' },
    rate: BYTES / (milliseconds / 1000),
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
