import { sha256Hex } from '../proto/digest.js';
import type { LogHead } from '../proto/log-head.js';

/** One change of the store. Each entry holds the hash of the one before, so none can be altered. */
export interface LogEntry extends LogHead {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly time: string;
  /** What was done, e.g. `contribution-accepted`. */
  readonly action: string;
  /** The id of what was changed. */
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly previous: string;
  readonly hash: string;
}

/** What the first entry follows. */
export const GENESIS: LogHead = { sequence: 0, hash: '0'.repeat(64) };

/** SHA-256 over the JSON array of the entry's fields in the order of `LogEntry`. */
export function hashOf(entry: Omit<LogEntry, 'hash'>): string {
  const { sequence, time, action, subject, details, previous } = entry;
  const fields = JSON.stringify([sequence, time, action, subject, details, previous]);
  return sha256Hex(fields);
}

/** Whether `entry` is what its hash says and comes right after `head`. */
export function follows(entry: LogEntry, head: LogHead): boolean {
  const isNext = entry.sequence === head.sequence + 1 && entry.previous === head.hash;
  return isNext && hashOf(entry) === entry.hash;
}

/** The first sequence number after `head` that does not follow, or undefined where all do. */
export function firstBroken(
  entries: Iterable<LogEntry>,
  head: LogHead = GENESIS,
): number | undefined {
  let last = head;
  for (const entry of entries) {
    if (!follows(entry, last)) return last.sequence + 1;
    last = entry;
  }
  return undefined;
}
