import type { SurrogateShift } from '../../../../models/surrogates/surrogate-shift.js';
import type { DeidentifiedDocument } from '../deidentify.js';

/** A part of a text, `[start, end)` in UTF-16 units, and what stands in its place. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds the PHI of a free text: what becomes of it, in order, none overlapping another. Dates and ages that are made up
 * move by `shift`.
 */
export type EditText = (text: string, shift: SurrogateShift) => Promise<readonly TextEdit[]>;

/** The edits that made a de-identified document of its text. */
export function editsOf({ text, found, spans }: DeidentifiedDocument): TextEdit[] {
  return found.map(({ start, end }, index) => {
    const placed = spans[index];
    return { start, end, text: text.slice(placed?.start, placed?.end) };
  });
}

/** Of two lists of edits one, in order; what overlaps an edit that begins before it goes with that. */
export function joinedEdits(some: readonly TextEdit[], others: readonly TextEdit[]): TextEdit[] {
  const joined: TextEdit[] = [];
  for (const edit of [...some, ...others].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || last.end <= edit.start) joined.push(edit);
    else joined[joined.length - 1] = { ...last, end: Math.max(last.end, edit.end) };
  }
  return joined;
}

export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let from = 0;
  let result = '';
  for (const edit of edits) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}
