import type { Database, Statement } from '../../../../platform/sqlite/database.js';
import { type Charge, NOTHING_SPENT, plus, type Spent } from '../limits/charge.js';

/** What a sentence reveals of an entity, by its hash in hex. */
export interface EntityShare extends Charge {
  readonly entity: string;
  /** Whether all of its words stand in the sentence. */
  readonly isWhole: boolean;
}

interface EntityRow extends Pick<Spent, 'sentences' | 'companions'> {
  readonly squared: Buffer;
  readonly told: number;
}

/** What all releases of a ledger together reveal of entities that were kept, by their hashes in hex. */
export class LedgerEntities {
  /** Asked for every entity, so prepared once. */
  readonly #spent: Statement<[Buffer], EntityRow>;

  constructor(private readonly db: Database) {
    this.#spent = db.prepare(
      'SELECT squared, sentences, companions, told FROM entities WHERE entity = ?',
    );
  }

  spentOn(entity: string): Spent {
    const row = this.#spent.get(Buffer.from(entity, 'hex'));
    if (!row) return NOTHING_SPENT;
    const { told, squared, ...counts } = row;
    return { ...counts, squared: fromBytes(squared), isTold: told === 1 };
  }

  /** Adds what one released sentence reveals of each entity in it. */
  charge(charges: readonly EntityShare[]): void {
    const companions = charges.length - 1;
    for (const { entity, squared, isWhole } of charges)
      this.#spend(entity, { squared, sentences: isWhole ? 1 : 0, companions, isTold: false });
  }

  /** Remembers those of which what is missing may tell anything. */
  recordTold(entities: Iterable<string>): void {
    for (const entity of entities) this.#spend(entity, { ...NOTHING_SPENT, isTold: true });
  }

  #spend(entity: string, more: Spent): void {
    const before = this.spentOn(entity);
    const { squared } = plus(before, more);
    this.db
      .prepare<[Buffer, Buffer, number, number, number]>(
        'INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?, ?)',
      )
      .run(
        Buffer.from(entity, 'hex'),
        Buffer.from(squared.buffer, squared.byteOffset, squared.byteLength),
        before.sentences + more.sentences,
        before.companions + more.companions,
        before.isTold || more.isTold ? 1 : 0,
      );
  }
}

function fromBytes(bytes: Buffer): Float64Array {
  // A copy, since a view must begin at a multiple of eight.
  return new Float64Array(Uint8Array.from(bytes).buffer);
}
