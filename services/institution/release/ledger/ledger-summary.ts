import { existsSync } from 'node:fs';
import { openDatabase } from '../../../../platform/sqlite/database.js';
import type { Bounds } from './ledger.js';
import { asLedgerError } from './ledger-database.js';
import { LEDGER_BOUNDS, ledgerFile } from './ledger-schema.js';
import { PENDING } from './ledger-segments.js';

/** What has left a home so far, and the strictest that any release kept to. */
export interface LedgerSummary {
  readonly segments: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
  /** Of the segments, those that wait for a pool to promise to keep them. */
  readonly pending: number;
  readonly bounds: Bounds;
  /** The laxest certified limit of any segment; null where none was certified. */
  readonly laxestLimit: number | null;
}

/** Reads a ledger beside whoever writes to it; undefined where there is none. Throws `ledger-invalid`. */
export function summariseLedger(home: string): LedgerSummary | undefined {
  const file = ledgerFile(home);
  if (!existsSync(file)) return undefined;
  try {
    const db = openDatabase(file, { readonly: true });
    try {
      const counts = db
        .prepare<[], Omit<LedgerSummary, 'bounds'>>(
          `SELECT count(*) AS segments, ifnull(sum(sentences), 0) AS sentences,
             ifnull(sum(tokens), 0) AS tokens, ifnull(sum(bytes), 0) AS bytes,
             count(*) FILTER (WHERE ${PENDING}) AS pending, max(certified) AS laxestLimit
             FROM segments`,
        )
        .get() as Omit<LedgerSummary, 'bounds'>;
      return { ...counts, bounds: db.prepare<[], Bounds>(LEDGER_BOUNDS).get() as Bounds };
    } finally {
      db.close();
    }
  } catch (error) {
    throw asLedgerError(error, file);
  }
}
