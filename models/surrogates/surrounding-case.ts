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

const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
const IS_NEITHER = 1;
const IS_LOWER = 2;
const IS_UPPER = 3;
/** By UTF-16 code unit, 0 until one is met. */
const caseOfUnit = new Uint8Array(2 ** 16);

/**
 * Of each entity of a masked document: who writes no capitals, or nothing else, does so in entities too. Looks
 * at `gaps` alone, the texts between entities, and never at one.
 */
export function surroundingCases(gaps: readonly string[]): SurroundingCase[] {
  const entities = gaps.slice(1);
  if (hasNoCapitals(gaps)) return entities.map(() => 'lower');
  return entities.map((_, entity) => {
    const before = capitalsFrom(gaps, entity, -1);
    const after = before === undefined ? undefined : capitalsFrom(gaps, entity + 1, 1);
    if (before === undefined || after === undefined) return 'mixed';
    return before + after >= FEWEST_NEAR ? 'upper' : 'mixed';
  });
}

export function inSurroundingCase(surrogate: string, surrounding: SurroundingCase): string {
  if (surrounding === 'mixed') return surrogate;
  return surrounding === 'upper' ? surrogate.toUpperCase() : surrogate.toLowerCase();
}

function hasNoCapitals(gaps: readonly string[]): boolean {
  const units = gaps.reduce((sum, { length }) => sum + length, 0);
  let letters = 0;
  let capitals = 0;
  for (const gap of gaps) {
    for (let at = 0; at < gap.length; at++) {
      const written = caseAt(gap, at);
      if (written === IS_NEITHER) continue;
      letters++;
      // Too many even if all that follows were letters.
      if (written === IS_UPPER && ++capitals > MOST_CAPITALS * units) return false;
    }
  }
  return letters >= FEWEST_IN_ALL && capitals <= MOST_CAPITALS * letters;
}

/**
 * How many of the first `NEAR` letters are capitals, from a gap's beginning onwards (`step` 1) or from its end
 * backwards (-1); undefined where one is none.
 */
function capitalsFrom(gaps: readonly string[], gap: number, step: 1 | -1): number | undefined {
  let capitals = 0;
  for (let near = 0; near < MOST_GAPS; near++) {
    const text = gaps[gap + step * near] ?? '';
    for (let i = 0; i < text.length; i++) {
      const written = caseAt(text, step > 0 ? i : text.length - 1 - i);
      if (written === IS_LOWER) return undefined;
      if (written === IS_UPPER && ++capitals === NEAR) return capitals;
    }
  }
  return capitals;
}

/** Of a code unit: letters that take two are taken for neither. */
function caseAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return caseOfUnit[unit] || learnCase(unit);
}

function learnCase(unit: number): number {
  const letter = String.fromCharCode(unit);
  const written = UPPER.test(letter) ? IS_UPPER : LOWER.test(letter) ? IS_LOWER : IS_NEITHER;
  caseOfUnit[unit] = written;
  return written;
}
