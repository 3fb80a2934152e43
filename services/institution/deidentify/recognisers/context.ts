/** As in Presidio's context enhancer: how far before a finding, and what a word adds. */
const CONTEXT_WORDS = 5;
const CONTEXT_GAIN = 0.35;
/** What a finding with a word before it is worth at least; what is less sure is a guess. */
export const LEAST_WITH_CONTEXT = 0.4;
/** More than five words hold. */
const CONTEXT_CHARACTERS = 500;

/**
 * The first wanted word that is part of a word before a finding, or of a word that counts as standing
 * `everywhere`; undefined where there is none.
 */
export function supportiveWord(
  before: string,
  wanted: readonly string[],
  everywhere: readonly string[] = [],
): string | undefined {
  if (wanted.length === 0) return undefined;
  const near = before.slice(-CONTEXT_CHARACTERS).match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const words = [...near.slice(-CONTEXT_WORDS), ...everywhere].map((word) => word.toLowerCase());
  return wanted.find((word) => words.some((each) => each.includes(word.toLowerCase())));
}

/** The score of a finding, given the word before it that supports it. */
export function scoreWithContext(score: number, word: string | undefined): number {
  if (word === undefined) return score;
  return Math.min(1, Math.max(score + CONTEXT_GAIN, LEAST_WITH_CONTEXT));
}
