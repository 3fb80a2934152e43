import type { Span } from '../../../models/text/document.js';

/** In characters; shorter words stand in ids by chance. */
const SHORTEST = 3;

/**
 * Whether the id of a note, which may be the name of its file, has a word or a number of the PHI that was found in its text,
 * whatever the casing. What stands in the id alone is not found by that.
 */
export function sharesPhi(id: string, text: string, found: readonly Span[]): boolean {
  const own = new Set(wordsOf(id));
  return found.some(({ start, end }) => wordsOf(text.slice(start, end)).some((w) => own.has(w)));
}

function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word.length >= SHORTEST);
}
