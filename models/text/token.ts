/** A token and its place: `[start, end)` in UTF-16 offsets of the document text. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
