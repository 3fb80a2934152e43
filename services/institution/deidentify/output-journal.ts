import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { textIfThere } from '../../../platform/files/optional-file.js';

/** What became of a document. */
export interface JournalEntry {
  /** SHA-256 of the document's id. */
  readonly id: string;
  /** Bytes of the single file with this document; null where the document only was begun. */
  readonly end: number | null;
}

const PRIVATE = 0o600;

/** Which documents of an output were begun, and which are done; it holds hashes of ids alone. */
export class OutputJournal {
  /** How many documents of an id are done and not met again yet. */
  readonly #done = new Map<string, number>();
  readonly #begun: Set<string>;

  private constructor(
    private readonly file: FileHandle,
    entries: readonly JournalEntry[],
  ) {
    this.#begun = new Set(entries.map(({ id }) => id));
    for (const { id, end } of entries)
      if (end !== null) this.#done.set(id, (this.#done.get(id) ?? 0) + 1);
  }

  /** Opens the journal in `folder`, or begins it; `end` is that of the last document that is done. */
  static async open(folder: string): Promise<{ journal: OutputJournal; end: number }> {
    const path = join(folder, 'journal');
    const { entries, bytes } = await readEntries(path);
    const file = await open(path, 'a', PRIVATE);
    await file.truncate(bytes);
    const end = entries.reduce((last, entry) => entry.end ?? last, 0);
    return { journal: new OutputJournal(file, entries), end };
  }

  get isEmpty(): boolean {
    return this.#begun.size === 0;
  }

  hasBegun(id: string): boolean {
    return this.#begun.has(id);
  }

  /** Whether a document of this id is done that was not met yet; it is now. */
  meet(id: string): boolean {
    const done = this.#done.get(id) ?? 0;
    this.#done.set(id, done - 1);
    return done > 0;
  }

  /** Notes it durably. */
  async note(entry: JournalEntry): Promise<void> {
    this.#begun.add(entry.id);
    await this.file.writeFile(`${JSON.stringify(entry)}\n`);
    await this.file.datasync();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** The whole lines: a kill may have cut the last one off. */
async function readEntries(path: string): Promise<{ entries: JournalEntry[]; bytes: number }> {
  const text = (await textIfThere(path)) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const entries = whole
    .split('\n')
    .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as JournalEntry)));
  return { entries, bytes: Buffer.byteLength(whole) };
}
