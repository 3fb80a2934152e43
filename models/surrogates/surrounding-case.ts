/** How the text around entities is written, where all of it is in one case. */
export type SurroundingCase = 'mixed' | 'upper' | 'lower';

/** Letters on either side that tell of capitals: a heading may be written in them, and its note not. */
const NEAR = 40;
const FEWEST_NEAR = 12;
/** Texts between entities that these letters are looked for in. */
const MOST_GAPS = 16;
/** Sentences begin with capitals, so that it takes more to tell that there are none. */
const FEWEST_IN_ALL = 120;
/** A slip of the hand, or a unit such as mL. */
const MOST_CAPITALS = 0.01;

/**
 * Of each entity of a masked document: who writes no capitals, or nothing else, does so in entities too. Looks
 * at `gaps` alone, the texts between entities, and never at one.
 */
export function surroundingCases(gaps: readonly string[]): SurroundingCase[] {
  const letters = gaps.map((gap) => gap.replaceAll(/[^\p{Lu}\p{Ll}]/gu, ''));
  const all = letters.join('');
  const isLower = all.length >= FEWEST_IN_ALL && capitalsIn(all) <= MOST_CAPITALS * all.length;
  return gaps.slice(1).map((_, entity) => {
    if (isLower) return 'lower';
    const near = lastLetters(letters, entity) + firstLetters(letters, entity + 1);
    const isUpper = near.length >= FEWEST_NEAR && capitalsIn(near) === near.length;
    return isUpper ? 'upper' : 'mixed';
  });
}

export function inSurroundingCase(surrogate: string, surrounding: SurroundingCase): string {
  if (surrounding === 'mixed') return surrogate;
  return surrounding === 'upper' ? surrogate.toUpperCase() : surrogate.toLowerCase();
}

function lastLetters(letters: readonly string[], gap: number): string {
  let found = '';
  const first = Math.max(0, gap - MOST_GAPS);
  for (let at = gap; at >= first && found.length < NEAR; at--) found = letters[at] + found;
  return found.slice(-NEAR);
}

function firstLetters(letters: readonly string[], gap: number): string {
  let found = '';
  const end = Math.min(letters.length, gap + MOST_GAPS);
  for (let at = gap; at < end && found.length < NEAR; at++) found += letters[at];
  return found.slice(0, NEAR);
}

function capitalsIn(letters: string): number {
  return letters.match(/\p{Lu}/gu)?.length ?? 0;
}
