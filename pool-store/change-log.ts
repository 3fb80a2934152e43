import type { LogHead } from '../proto/log-head.js';
import type { Catalog } from './catalog.js';
import { firstBroken, GENESIS, hashOf, type LogEntry } from './log-chain.js';

type Row = Omit<LogEntry, 'details'> & { details: string };

/** The hash-chained log of every change. */
export class ChangeLog {
  constructor(readonly catalog: Catalog) {}

  /** Called inside the transaction of the change itself, so that neither is without the other. */
  append(action: string, subject: string, details: Readonly<Record<string, unknown>> = {}): void {
    const { sequence, hash: previous } = this.head();
    const time = new Date().toISOString();
    const entry = { sequence: sequence + 1, time, action, subject, details, previous };
    this.catalog.run(
      'INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)',
      entry.sequence,
      time,
      action,
      subject,
      JSON.stringify(details),
      previous,
      hashOf(entry),
    );
  }

  head(): LogHead {
    const row = this.catalog.get<LogHead>(
      'SELECT sequence, hash FROM log ORDER BY sequence DESC LIMIT 1',
    );
    return row ?? GENESIS;
  }

  /** Whether it has this entry. */
  holds({ sequence, hash }: LogHead): boolean {
    const sql = 'SELECT 1 FROM log WHERE sequence = ? AND hash = ?';
    return sequence === 0 || this.catalog.get(sql, sequence, hash) !== undefined;
  }

  /** At most `limit` entries after the given one, in order. */
  entries(after = 0, limit = 1000): LogEntry[] {
    return this.catalog
      .all<Row>('SELECT * FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?', after, limit)
      .map((row) => ({ ...row, details: JSON.parse(row.details) }));
  }

  /** Every entry in order, in memory of one page. */
  *all(after = 0): Generator<LogEntry> {
    for (let page = this.entries(after); page.length > 0; ) {
      yield* page;
      page = this.entries(page[page.length - 1].sequence);
    }
  }

  /** The first entry that does not follow from the one before, or undefined where all do. */
  firstBroken(): number | undefined {
    return firstBroken(this.all());
  }
}
