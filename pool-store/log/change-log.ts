import type { LogHead } from '../../proto/log-head.js';
import type { Catalog, CatalogTransaction, Statements } from '../catalog/catalog.js';
import type { CompiledQuery } from '../catalog/kysely.js';
import { send } from '../catalog/together.js';
import { follows, GENESIS, hashOf, type LogEntry } from './log-chain.js';

/** The hash-chained log of every change. */
export class ChangeLog {
  /** After each transaction that appended something. */
  readonly #heads = new WeakMap<CatalogTransaction, LogHead>();

  constructor(readonly catalog: Catalog) {}

  /** Called inside the transaction of the change itself, so that neither is without the other. */
  async append(
    transaction: CatalogTransaction,
    action: string,
    subject: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<LogHead> {
    const [head] = await this.appendAll(transaction, [{ action, subject, details }]);
    return head as LogHead;
  }

  /**
   * As `append`, of several changes in one transaction, in one statement. Returns the head after each. `newest` is what the
   * query of that name found in the transaction, for who asked.
   */
  async appendAll(
    transaction: CatalogTransaction,
    changes: readonly Pick<LogEntry, 'action' | 'subject' | 'details'>[],
    newest?: LogHead,
  ): Promise<LogHead[]> {
    if (changes.length === 0) return [];
    let head = this.headAfter(transaction) ?? newest ?? (await this.head(transaction));
    const time = new Date().toISOString();
    const entries = changes.map((change) => {
      const entry = { ...change, sequence: head.sequence + 1, time, previous: head.hash };
      head = { sequence: entry.sequence, hash: hashOf(entry) };
      return { ...entry, details: JSON.stringify(entry.details), hash: head.hash };
    });
    await send(transaction, transaction.insertInto('log').values(entries).compile());
    this.#heads.set(transaction, head);
    return entries.map(({ sequence, hash }) => ({ sequence, hash }));
  }

  /** The head once a transaction is committed; undefined where it appended nothing. */
  headAfter(transaction: CatalogTransaction): LogHead | undefined {
    return this.#heads.get(transaction);
  }

  async head(statements: Statements = this.catalog.read): Promise<LogHead> {
    return (await newestOf(statements).executeTakeFirst()) ?? GENESIS;
  }

  /** Finds the head of a log that has entries. */
  newest(statements: Statements): CompiledQuery<LogHead> {
    return newestOf(statements).compile();
  }

  /** Whether it has this entry. */
  async holds({ sequence, hash }: LogHead): Promise<boolean> {
    if (sequence === 0) return true;
    const found = await this.catalog.read
      .selectFrom('log')
      .select('sequence')
      .where('sequence', '=', sequence)
      .where('hash', '=', hash)
      .executeTakeFirst();
    return found !== undefined;
  }

  /** At most `limit` entries after the given one, in order. */
  async entries(after = 0, limit = 1000): Promise<LogEntry[]> {
    const rows = await this.catalog.read
      .selectFrom('log')
      .selectAll()
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }));
  }

  /** Every entry in order, in memory of one page. */
  async *all(after = 0): AsyncGenerator<LogEntry> {
    for (let page = await this.entries(after); page.length > 0; ) {
      yield* page;
      page = await this.entries(page[page.length - 1].sequence);
    }
  }

  /** The first entry that does not follow from the one before, or undefined where all do. */
  async firstBroken(): Promise<number | undefined> {
    let last = GENESIS;
    for await (const entry of this.all()) {
      if (!follows(entry, last)) return last.sequence + 1;
      last = entry;
    }
    return undefined;
  }
}

function newestOf(statements: Statements) {
  return statements
    .selectFrom('log')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1);
}
