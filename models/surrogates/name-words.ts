/** Before a name, in any language. */
const TITLES: ReadonlySet<string> = new Set(
  'dr dra doctor doctora mr mrs ms miss sr sra srta prof'.split(' '),
);
/** In English `Don` is a name. */
const SPANISH_TITLES: ReadonlySet<string> = new Set(['don', 'doña', 'dña', 'dª']);
/** Behind a name. */
const DEGREES: ReadonlySet<string> = new Set(['md', 'phd']);
const CONNECTORS: ReadonlySet<string> = new Set(
  'de del la las los y van von der den and of the'.split(' '),
);

/**
 * Whether the word at `at` of a mention is in many names and of nobody's: a title, a degree, a word that joins
 * others. One that is written as a name is may be one (`Van Nguyen`, `La Toya`), and a letter alone is somebody's
 * initial.
 */
export function isOfNobody(word: string, name: string, at: number, language: string): boolean {
  const lower = word.normalize('NFC').toLowerCase();
  if (TITLES.has(lower) || (language === 'es' && SPANISH_TITLES.has(lower))) return true;
  if (lower === 's') return /['’]$/.test(name.slice(0, at));
  const isFirst = !/\p{L}/u.test(name.slice(0, at));
  if (DEGREES.has(lower)) return !isFirst;
  const isLower = word === lower;
  if (lower.length === 1) return isLower && !isFirst && CONNECTORS.has(lower);
  return CONNECTORS.has(lower) && (isLower || (!isFirst && name === name.toUpperCase()));
}
