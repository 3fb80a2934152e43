import type { Database, Statement } from '../../../platform/sqlite/database.js';

/** A note with its entities replaced, as the ledger knows it: keyed hashes, see `ReplacedDocument`. */
export interface DrawnDocument {
  readonly text: Uint8Array;
  readonly drawn: Uint8Array;
}

/**
 * With which surrogates each note was released. A sentence is known by its place among those of its note, and
 * under another label scheme or inventory a note has other types and other sentences: it would leave again.
 */
export class LedgerDocuments {
  readonly #drawn: Statement<[Uint8Array], Buffer>;
  readonly #add: Statement<[Uint8Array, Uint8Array]>;

  constructor(db: Database) {
    this.#drawn = db
      .prepare<[Uint8Array], Buffer>('SELECT drawn FROM documents WHERE text = ?')
      .pluck();
    this.#add = db.prepare('INSERT OR IGNORE INTO documents VALUES (?, ?)');
  }

  /** Whether the note was released with other surrogates. */
  isOtherwise({ text, drawn }: DrawnDocument): boolean {
    const before = this.#drawn.get(text);
    return before !== undefined && !before.equals(drawn);
  }

  add({ text, drawn }: DrawnDocument): void {
    this.#add.run(text, drawn);
  }
}
