import { GENESIS, type LogEntry, textOf } from '../../../../../pool-store/log/log-entry.js';
import type { LogHead } from '../../../../../proto/log-head.js';
import type { KeptHead } from './pasted-head.js';

/** What a walk over a whole log found. */
export interface Findings {
  /** The last entry that follows from all before it. */
  readonly last: LogHead;
  /** The first sequence number that does not follow. */
  readonly brokenAt?: number;
  /** Where the head that was kept stands; undefined where it does not, or none was kept. */
  readonly keptAt?: number;
  /** Whether it goes as far as the head that the page showed, with the same hash. */
  readonly reachesShown: boolean;
}

interface Walk {
  /** The entries after a sequence number, in order; none at the end. */
  readonly read: (after: number) => Promise<readonly LogEntry[]>;
  readonly shown: LogHead;
  readonly kept: KeptHead | undefined;
  readonly onProgress: (sequence: number) => void;
}

/** Reads all entries and computes each hash anew. */
export async function walkChain({ read, shown, kept, onProgress }: Walk): Promise<Findings> {
  let last = GENESIS;
  let keptAt = isHead(kept, last) ? 0 : undefined;
  let reachesShown = isHead(shown, last);
  for (;;) {
    const entries = await read(last.sequence);
    if (entries.length === 0) return findings();
    const hashes = await Promise.all(entries.map((entry) => sha256Hex(textOf(entry))));
    for (const [index, entry] of entries.entries()) {
      const follows = entry.sequence === last.sequence + 1 && entry.previous === last.hash;
      if (!follows || hashes[index] !== entry.hash)
        return { ...findings(), brokenAt: last.sequence + 1 };
      last = { sequence: entry.sequence, hash: entry.hash };
      if (isHead(kept, last)) keptAt = last.sequence;
      if (isHead(shown, last)) reachesShown = true;
    }
    onProgress(last.sequence);
  }

  function findings(): Findings {
    return { last, reachesShown, ...(keptAt !== undefined && { keptAt }) };
  }
}

function isHead(wanted: KeptHead | undefined, { sequence, hash }: LogHead): boolean {
  return wanted?.hash === hash && (wanted.sequence ?? sequence) === sequence;
}

async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
