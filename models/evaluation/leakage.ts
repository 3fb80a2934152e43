import type { Document, Span } from '../text/document.js';

/** What a reader of the de-identified text would still see. White space is not counted. */
export interface Leakage {
  readonly phiCharacters: number;
  /** Characters of gold PHI that no span of the system covers, whatever its type. */
  readonly leakedCharacters: number;
}

export function leakageOf(gold: Document, systemSpans: readonly Span[]): Leakage {
  const covered = new Uint8Array(gold.text.length);
  for (const { start, end } of systemSpans) covered.fill(1, start, end);
  const seen = new Set<number>();
  let leakedCharacters = 0;
  for (const { start, end } of gold.spans) {
    for (let at = start; at < end; at++) {
      if (seen.has(at) || /\s/.test(gold.text.charAt(at))) continue;
      seen.add(at);
      if (!covered[at]) leakedCharacters++;
    }
  }
  return { phiCharacters: seen.size, leakedCharacters };
}
