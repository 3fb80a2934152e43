import { sha256Hex } from '../../proto/digest.js';
import type { LogHead } from '../../proto/log-head.js';
import { GENESIS, type LogEntry, textOf } from './log-entry.js';

export { GENESIS, type LogEntry } from './log-entry.js';

/** SHA-256 of the entry's text, in hex. */
export function hashOf(entry: Omit<LogEntry, 'hash'>): string {
  return sha256Hex(textOf(entry));
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
