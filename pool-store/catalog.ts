/** What a column can hold. */
export type Value = string | number | Uint8Array | null;

/** Of a statement, by place or by name (`@name`). */
export type Parameters = readonly Value[] | readonly [Readonly<Record<string, Value>>];

/**
 * Where the records of a store are kept. A transaction that has returned survives a power cut.
 * Everything above it is written against this interface, in SQL.
 */
export interface Catalog {
  /** The first row, or undefined. */
  get<Row>(sql: string, ...parameters: Parameters): Row | undefined;
  all<Row>(sql: string, ...parameters: Parameters): Row[];
  /** One row at a time, for tables of any size; nothing may be written meanwhile. */
  each<Row>(sql: string, ...parameters: Parameters): IterableIterator<Row>;
  /** Returns how many rows were changed. */
  run(sql: string, ...parameters: Parameters): number;
  /** Takes the write lock first, so that `work` reads what it changes; all of it is done or nothing. */
  transaction<T>(work: () => T): T;
  /** Called after each transaction that was committed here. */
  onCommit(listener: () => void): void;
  /** Copies it as of one moment into a new file, while others go on writing. */
  copyTo(path: string): void;
  /** What is wrong with what lies on disk, as far as it can be read. */
  faults(): string[];
  close(): void;
}

/** Runs `work` as one transaction of the catalog. */
export function inTransaction<T>(catalog: Catalog, work: () => T): T {
  return catalog.transaction(work);
}

/** The moment of a change, as the catalog stores it. */
export function now(): string {
  return new Date().toISOString();
}
