import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement } from './measurement.js';

/** Hashed, and copied. */
const BYTES = 128 * 2 ** 20;
const PIECE_BYTES = 256 * 1024;

/** What is written, and where. */
interface Disk {
  readonly parent: string;
  readonly bytes: number;
}

/**
 * What bounds the ingest of a pool: hashing and copying by second of processor time, the disk by the clock. Written is as
 * much as the pool will take, so that a disk in memory is one that the host of a virtual machine has given it: who is the
 * first to write there pays for that.
 */
export function* machineRates(bench: string, { parent, bytes }: Disk): Generator<Measurement> {
  const piece = Buffer.alloc(PIECE_BYTES, 1);
  const target = Buffer.alloc(PIECE_BYTES);
  const hash = createHash('sha256');
  const processor = { bench, bytes: BYTES, clockMs: cpuMs };
  yield rate('hashing, SHA-256, a core', processor, () => hash.update(piece));
  yield rate('copying, a core', processor, () => target.set(piece));
  const directory = mkdtempSync(join(parent, 'tacet-bench-'));
  const file = openSync(join(directory, 'file'), 'w');
  try {
    const disk = { bench, bytes, clockMs: () => performance.now() };
    const write = () => writeSync(file, piece);
    yield rate('writing to disk, with fsync', disk, write, () => fsyncSync(file));
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}

/** `work` takes a piece. */
function rate(
  name: string,
  { bench, bytes, clockMs }: { bench: string; bytes: number; clockMs: () => number },
  work: () => unknown,
  end: () => void = () => {},
): Measurement {
  const start = clockMs();
  let done = 0;
  for (; done < bytes; done += PIECE_BYTES) work();
  end();
  const milliseconds = clockMs() - start;
  return {
    ...{ bench, name, threads: 1, milliseconds, spread: 0, unit: 'B/s' },
    rate: done / (milliseconds / 1000),
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
