import type { LogHead } from '../../proto/log-head.js';

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

/** What is hashed: the JSON array of the entry's fields in the order of `LogEntry`. */
export function textOf(entry: Omit<LogEntry, 'hash'>): string {
  const { sequence, time, action, subject, details, previous } = entry;
  return JSON.stringify([sequence, time, action, subject, details, previous]);
}
