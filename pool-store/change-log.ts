import { createHash } from 'node:crypto';
import type { Catalog } from './catalog.js';

/** One change of the store. Each entry holds the hash of the one before, so none can be altered. */
export interface LogEntry {
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

export interface LogHead {
  readonly sequence: number;
  readonly hash: string;
}

const GENESIS: LogHead = { sequence: 0, hash: '0'.repeat(64) };

type Row = Omit<LogEntry, 'details'> & { details: string };

/** The hash-chained log of every change. */
export class ChangeLog {
  constructor(readonly catalog: Catalog) {}

  /** Called inside the transaction of the change itself, so that neither is without the other. */
  append(action: string, subject: string, details: Readonly<Record<string, unknown>> = {}): void {
    const { sequence, hash: previous } = this.head();
    const time = new Date().toISOString();
    const entry = { sequence: sequence + 1, time, action, subject, details, previous };
    this.catalog
      .prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(entry.sequence, time, action, subject, JSON.stringify(details), previous, hashOf(entry));
  }

  head(): LogHead {
    const row = this.catalog
      .prepare<[], LogHead>('SELECT sequence, hash FROM log ORDER BY sequence DESC LIMIT 1')
      .get();
    return row ?? GENESIS;
  }

  /** At most `limit` entries after the given one, in order. */
  entries(after = 0, limit = 1000): LogEntry[] {
    return this.catalog
      .prepare<[number, number], Row>(
        'SELECT * FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?',
      )
      .all(after, limit)
      .map((row) => ({ ...row, details: JSON.parse(row.details) }));
  }

  /** The first entry that does not follow from the one before, or undefined where all do. */
  firstBroken(): number | undefined {
    let { sequence, hash } = GENESIS;
    for (let page = this.entries(); page.length > 0; page = this.entries(sequence)) {
      for (const entry of page) {
        const follows = entry.sequence === sequence + 1 && entry.previous === hash;
        if (!follows || hashOf(entry) !== entry.hash) return sequence + 1;
        ({ sequence, hash } = entry);
      }
    }
    return undefined;
  }
}

/** SHA-256 over the JSON array of the entry's fields in the order of `LogEntry`. */
export function hashOf(entry: Omit<LogEntry, 'hash'>): string {
  const { sequence, time, action, subject, details, previous } = entry;
  const fields = JSON.stringify([sequence, time, action, subject, details, previous]);
  return createHash('sha256').update(fields).digest('hex');
}
