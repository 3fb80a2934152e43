/**
 * Plays randomness and clocks back: once loaded, everything that this process draws, from the kernel or
 * from OpenSSL, follows from the seed that `playFrom` gives, or `TACET_PLAYBACK` in a process of its own.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { createHash } = crypto;
const { openSync, readSync } = fs;
const DEVICE = '/dev/urandom';
const NOW = Date.UTC(2026, 0, 1);

let seed = process.env.TACET_PLAYBACK ?? '';
let drawn = 0;
let named = 0;
const generators = new Set<number>();

/** From here on, all draws follow from `from`. */
export function playFrom(from: string): void {
  seed = from;
  drawn = 0;
  named = 0;
}

function draw(bytes: number): Buffer {
  const found = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; )
    at += createHash('sha256').update(`${seed} ${drawn++}`).digest().copy(found, at);
  return found;
}

/** Drawn beside all else: when a request comes, and gets its id, is up to the machine. */
function uuid(): ReturnType<typeof crypto.randomUUID> {
  const hex = createHash('sha256').update(`${seed} id ${named++}`).digest('hex').slice(0, 32);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return `${parts.join('-')}-${hex.slice(20)}` as ReturnType<typeof crypto.randomUUID>;
}

Object.assign(crypto, { randomBytes: draw, randomUUID: uuid });
Object.assign(fs, {
  openSync: (...input: Parameters<typeof openSync>) => {
    const descriptor = openSync(...input);
    if (input[0] === DEVICE) generators.add(descriptor);
    else generators.delete(descriptor);
    return descriptor;
  },
  readSync: (descriptor: number, into: NodeJS.ArrayBufferView, ...more: []) => {
    if (!generators.has(descriptor)) return readSync(descriptor, into, ...more);
    const to = Buffer.from(into.buffer, into.byteOffset, into.byteLength);
    return draw(to.length).copy(to);
  },
});
syncBuiltinESMExports();
globalThis.Date = class extends Date {
  constructor(...moment: []) {
    super(...(moment.length === 0 ? ([NOW] as unknown as []) : moment));
  }

  static override now(): number {
    return NOW;
  }
} as DateConstructor;
process.hrtime.bigint = () => 0n;
performance.now = () => 0;
