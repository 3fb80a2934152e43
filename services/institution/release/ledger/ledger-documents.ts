import type { Database, Statement } from '../../../../platform/sqlite/database.js';

/** A copy of a note with its entities replaced, as the ledger knows it: keyed hashes, see `ReplacedDocument`. */
export interface DrawnDocument {
  readonly text: Uint8Array;
  readonly earlierText: Uint8Array;
  readonly drawn: Uint8Array;
}

interface FoundDocument {
  readonly drawn: Buffer;
  readonly copies: number;
}

/** All copies of a note that leave in one job; the first is the one that a note without copies has. */
export type DrawnNote = readonly [DrawnDocument, ...DrawnDocument[]];

/**
 * With which surrogates each note was released, and in how many copies. A sentence is known by its place among those of
 * its copy of the note. Under another label scheme or inventory a note has other types and other sentences, and in another
 * number of copies other ones stand for the same text: it would leave again.
 */
export class LedgerDocuments {
  /** Whether version 9 or before released any, by hashes of its own. */
  readonly countsEarlier: boolean;
  readonly #find: Statement<[Uint8Array], FoundDocument>;
  /** Those that version 9 and before released. */
  readonly #findEarlier: Statement<[Uint8Array], FoundDocument>;
  readonly #add: Statement<[Uint8Array, Uint8Array, number]>;

  constructor(db: Database) {
    const find = (table: string): Statement<[Uint8Array], FoundDocument> =>
      db.prepare(`SELECT drawn, copies FROM ${table} WHERE text = ?`);
    this.#find = find('documents');
    this.#findEarlier = find('earlier_documents');
    this.#add = db.prepare('INSERT OR IGNORE INTO documents VALUES (?, ?, ?)');
    this.countsEarlier = db.prepare('SELECT 1 FROM earlier_documents LIMIT 1').get() !== undefined;
  }

  /** Whether the note was released with other surrogates, or in another number of copies. */
  isOtherwise(note: DrawnNote): boolean {
    return note.some((copy) => {
      const before = this.#releasedAs(copy);
      return (
        before !== undefined && !(before.copies === note.length && before.drawn.equals(copy.drawn))
      );
    });
  }

  /** Whether anything of the note was released. */
  holds(note: DrawnNote): boolean {
    return note.some((copy) => this.#releasedAs(copy) !== undefined);
  }

  add(note: DrawnNote): void {
    for (const { text, drawn } of note) this.#add.run(text, drawn, note.length);
  }

  #releasedAs({ text, earlierText }: DrawnDocument): FoundDocument | undefined {
    return this.#find.get(text) ?? this.#findEarlier.get(earlierText);
  }
}
