import { setImmediate } from 'node:timers/promises';
import { encodedBytesIn, withoutBytes } from './encoded-bytes.js';
import type { RecordCounts } from './record-counts.js';
import type { Renaming } from './renaming.js';
import { type EditText, joinedEdits, type TextEdit, withEdits } from './text-edits.js';

/** Labels and units come again and again; longer texts do not. */
const MOST_REMEMBERED = 10_000;
const LONGEST_REMEMBERED = 100;
/** A service has others to answer meanwhile. */
const TURN_MS = 20;

/** What the records of a run are de-identified with. */
export class RecordContext {
  readonly #known = new Map<string, readonly TextEdit[]>();
  #turnEndsMs = 0;

  constructor(
    private readonly edit: EditText,
    readonly renaming: Renaming,
    readonly counts: RecordCounts,
    private readonly signal?: AbortSignal,
  ) {}

  /** Lets other work have its turn, where this has gone on for a while; throws the signal's reason once it is aborted. */
  async turn(): Promise<void> {
    if (performance.now() < this.#turnEndsMs) return;
    await setImmediate();
    this.signal?.throwIfAborted();
    this.#turnEndsMs = performance.now() + TURN_MS;
  }

  /** The edits of a free text of a patient, counted; bytes in base64 that stand in it are removed, unread. */
  async edits(text: string, patient: string): Promise<readonly TextEdit[]> {
    const bytes = encodedBytesIn(text);
    if (bytes.length === 0) return this.#read(text, patient);
    this.counts.remove('attachments', bytes.length);
    return joinedEdits(await this.#read(withoutBytes(text, bytes), patient), bytes);
  }

  /** A free text of a patient without its PHI. */
  async text(text: string, patient: string): Promise<string> {
    return withEdits(text, await this.edits(text, patient));
  }

  async #read(text: string, patient: string): Promise<readonly TextEdit[]> {
    if (text.trim() === '') return [];
    const own = JSON.stringify([text, patient]);
    const known = this.#known.get(text) ?? this.#known.get(own);
    const edits = known ?? (await this.edit(text, this.renaming.textShift(patient)));
    if (
      known === undefined &&
      text.length <= LONGEST_REMEMBERED &&
      this.#known.size < MOST_REMEMBERED
    )
      // What nothing is found in is the same for all patients.
      this.#known.set(edits.length === 0 ? text : own, edits);
    this.counts.texts++;
    this.counts.spans += edits.length;
    return edits;
  }
}
