/** A PHI mention: `[start, end)` in UTF-16 offsets of the document text. */
export interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export interface Document {
  /** The file name without its extension, or the line's own id. */
  readonly id: string;
  /** As its file has it, a byte order mark and carriage returns included. */
  readonly text: string;
  /** In order of `start`, not overlapping. */
  readonly spans: readonly Span[];
  /** The offsets at which the sentences begin that its file states, in order; absent where it states none. */
  readonly sentences?: readonly number[] | undefined;
}
