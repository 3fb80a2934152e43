import type { Database, Statement } from '../../../../platform/sqlite/database.js';

/** How often sentences were released that are alike but for their entities, by their keyed hashes. */
export class LedgerAlike {
  /**
   * Whether releases were counted under the hashes of version 9 and before, which differ with the numbers that a scheme
   * gives its types.
   */
  readonly countsEarlier: boolean;
  /** Asked for every sentence, so prepared once. */
  readonly #count: Statement<[Uint8Array], number>;
  readonly #earlier: Statement<[Uint8Array], number>;
  readonly #add: Statement<[Uint8Array]>;
  /** By hash, the earlier ones under which releases of the same were counted. */
  readonly #met = new Map<string, Map<string, number>>();

  constructor(db: Database) {
    const counts = (table: string) =>
      db.prepare<[Uint8Array], number>(`SELECT count FROM ${table} WHERE sentence = ?`).pluck();
    this.#count = counts('alike');
    this.#earlier = counts('earlier_alike');
    this.#add = db.prepare(
      'INSERT INTO alike VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1',
    );
    this.countsEarlier = db.prepare('SELECT 1 FROM earlier_alike LIMIT 1').get() !== undefined;
  }

  /** Says which earlier hash a sentence has, so that `releasesOf` counts its releases, too. */
  meet(masked: Uint8Array, earlier: Uint8Array): void {
    const count = this.#earlier.get(earlier);
    if (count === undefined) return;
    const name = nameOf(masked);
    const met = this.#met.get(name) ?? new Map<string, number>();
    this.#met.set(name, met.set(nameOf(earlier), count));
  }

  releasesOf(masked: Uint8Array): number {
    let count = this.#count.get(masked) ?? 0;
    if (this.#met.size > 0)
      for (const earlier of this.#met.get(nameOf(masked))?.values() ?? []) count += earlier;
    return count;
  }

  add(masked: Uint8Array): void {
    this.#add.run(masked);
  }
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('latin1');
}
