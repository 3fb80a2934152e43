import type { CatalogTables } from './catalog-tables.js';
import type { Kysely, Transaction } from './kysely.js';

/** Where statements run: the catalog as it was last committed, or one transaction of it. */
export type Statements = Kysely<CatalogTables>;

/** Statements that are done together or not at all, and that nobody else's come between. */
export type CatalogTransaction = Transaction<CatalogTables>;

/**
 * What a transaction writes: records with the log of their changes, rows of unfinished uploads, or leases and
 * sessions. Each row is written in one area alone; that a blob is being collected, which is a lease, begins among the records.
 */
export type CatalogArea = 'records' | 'uploads' | 'leases';

/**
 * Where the records of a store are kept. Everything above it is written against this interface, in Kysely or
 * in SQL that both SQLite and PostgreSQL take (`sql-dialect.ts`).
 */
export interface Catalog {
  /** Whether processes of other machines may open it as well. */
  readonly isShared: boolean;
  /** Each statement sees what was committed before it. Nothing can be written by it. */
  readonly read: Statements;
  /**
   * Runs `work` as one transaction, one of an area at a time over all processes, so that `work` reads what it
   * changes; what it reads of other areas may change between two statements. Its turn has come when its first statement is
   * answered, and it awaits nothing but statements of the transaction, for everyone who writes in that area waits meanwhile. What has
   * returned survives a power cut. Throws what `work` throws, with nothing changed, `catalog-unreachable`,
   * `store-version` where a newer program has changed the tables since they were opened, and
   * `outcome-unknown` where the connection was lost while it was committed: repeating is safe then.
   */
  write<T>(work: (transaction: CatalogTransaction) => Promise<T>, area?: CatalogArea): Promise<T>;
  /** As `write` of records, for as many as a catalog has: no statement is cut off for the time that it takes. */
  writeAtLength<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T>;
  /** Throws `store-version` where `write` would. */
  requireKnown(): Promise<void>;
  /**
   * As `write` in the area of records, for what has much to write: `prepare` first writes rows that nobody else writes or
   * reads, while others write where the database can (PostgreSQL), and may take its time; `finish` follows in the
   * same transaction, and none comes between it and its end.
   */
  writeMuch<T>(
    prepare: (transaction: CatalogTransaction) => Promise<void>,
    finish: (transaction: CatalogTransaction) => Promise<T>,
  ): Promise<T>;
  /** Runs `work` on the catalog as it is at one moment, while others go on writing. */
  readMoment<T>(work: (moment: Statements) => Promise<T>): Promise<T>;
  /** The same for as much as a catalog has: no statement is cut off for the time that it takes. */
  readAtLength<T>(work: (moment: Statements) => Promise<T>): Promise<T>;
  /** Called with each transaction that was committed here. */
  onCommit(listener: (committed: CatalogTransaction) => void): void;
  /** Copies it as of one moment into a new file of SQLite, while others go on writing. */
  copyTo(path: string): Promise<void>;
  /** What is wrong with what lies on disk, as far as the database itself can tell. */
  faults(): Promise<string[]>;
  close(): Promise<void>;
}

/** The moment of a change, as the catalog stores it. */
export function now(): string {
  return new Date().toISOString();
}
