import type { RemarkCounts } from './remarks.js';

/** A run of tokens under one type: token indices `[start, end)`. */
export interface TaggedRun {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** `B-TYPE` and so on; BILOU writes L for E and U for S, older tools write M for I. */
const TAG = /^([BIMELSU])-(.+)$/su;
const BEGINS = 'BSU';
const ENDS = 'ELSU';

/**
 * Reads the tags of one document in order. Which of IOB1, IOB2 and BIOES they are is told by the
 * tags themselves, and one reading fits all three: `B` and `S` start a run; `I` and `E` go on with
 * the run of their type or, where there is none, start one; `E` and `S` end it. A sentence's end
 * ends every run.
 */
export class TagReader {
  readonly runs: TaggedRun[] = [];
  private count = 0;
  private open: { type: string; start: number } | undefined;
  /** Where the last run ended and of which type it was, for what IOB1 needs `B` for. */
  private closed: { type: string; end: number } | undefined;
  private insideStarts = 0;
  private freshBegins = 0;
  private ends = 0;

  /** Takes the tag of the next token; false where it is none. */
  add(tag: string): boolean {
    if (tag === 'O') this.close();
    else {
      const [, prefix, type] = TAG.exec(tag) ?? [];
      if (prefix === undefined || type === undefined) return false;
      this.addTyped(prefix, type);
    }
    this.count++;
    return true;
  }

  endSentence(): void {
    this.close();
    this.closed = undefined;
  }

  /** The document's scheme, where a tag shows it, and the tags that break it. */
  remarks(): RemarkCounts {
    const { insideStarts, freshBegins, ends } = this;
    if (ends > 0) return { bioesDocuments: 1, irregularTags: insideStarts };
    if (freshBegins > 0) return { iob2Documents: 1, irregularTags: insideStarts };
    return insideStarts > 0 ? { iob1Documents: 1 } : {};
  }

  private addTyped(prefix: string, type: string): void {
    const begins = BEGINS.includes(prefix);
    if (begins || this.open?.type !== type) {
      this.close();
      const follows = this.closed?.type === type && this.closed.end === this.count;
      if (!begins) this.insideStarts++;
      else if (!follows) this.freshBegins++;
      this.open = { type, start: this.count };
    }
    if (!ENDS.includes(prefix)) return;
    this.ends++;
    this.close(this.count + 1);
  }

  private close(end = this.count): void {
    if (this.open === undefined) return;
    const { type, start } = this.open;
    this.runs.push({ type, start, end });
    this.closed = { type, end };
    this.open = undefined;
  }
}
