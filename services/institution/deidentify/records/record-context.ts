import type { RecordCounts } from './record-counts.js';
import type { Renaming } from './renaming.js';
import { type EditText, type TextEdit, withEdits } from './text-edits.js';

/** Labels and units come again and again; longer texts do not. */
const MOST_REMEMBERED = 10_000;
const LONGEST_REMEMBERED = 100;

/** What the records of a run are de-identified with. */
export class RecordContext {
  readonly #known = new Map<string, readonly TextEdit[]>();

  constructor(
    private readonly edit: EditText,
    readonly renaming: Renaming,
    readonly counts: RecordCounts,
  ) {}

  /** The edits of a free text, counted. */
  async edits(text: string): Promise<readonly TextEdit[]> {
    if (text.trim() === '') return [];
    const known = this.#known.get(text);
    const edits = known ?? (await this.edit(text));
    if (
      known === undefined &&
      text.length <= LONGEST_REMEMBERED &&
      this.#known.size < MOST_REMEMBERED
    )
      this.#known.set(text, edits);
    this.counts.texts++;
    this.counts.spans += edits.length;
    return edits;
  }

  /** A free text without its PHI. */
  async text(text: string): Promise<string> {
    return withEdits(text, await this.edits(text));
  }
}
