import { surrogateKind } from '../../../../models/surrogates/surrogate-kind.js';
import { WEEKDAYS } from '../../../../models/surrogates/weekdays.js';
import type { Span } from '../../../../models/text/document.js';

/** The longest first; an accent may be a character of its own. */
const WORDS = [...new Set(WEEKDAYS.flat().flatMap((name) => [name, name.normalize('NFD')]))];
const NAMES = `(?:${WORDS.sort((a, b) => b.length - a.length).join('|')})`;
const BLANKS = String.raw`[ \t\u00a0]{0,3}`;
const BETWEEN = String.raw`\.?${BLANKS}[,(–-]?${BLANKS}`;
const JOINING = `(?:(?:the|on|el|d[ií]a)${BLANKS}){0,2}`;
const BEFORE = new RegExp(String.raw`(?<![\p{L}\p{N}])${NAMES}${BETWEEN}${JOINING}$`, 'iu');
const AFTER = new RegExp(String.raw`^${BETWEEN}${NAMES}(?![\p{L}\p{N}])\)?`, 'iu');
/** More than such a word and what stands between. */
const NEAR = 40;

/**
 * A span with the weekday beside it, where it is a date: once that is moved, the weekday would say by how much, but for whole
 * weeks. Words that are others elsewhere (`sat`, `sun`, `mar`) are weekdays beside a date.
 */
export function withWeekday<S extends Span>(span: S, text: string): S {
  const { type, start, end } = span;
  if (surrogateKind(type, text.slice(start, end)) !== 'date') return span;
  const before = BEFORE.exec(text.slice(Math.max(0, start - NEAR), start))?.[0].length ?? 0;
  const after = AFTER.exec(text.slice(end, end + NEAR))?.[0].length ?? 0;
  return { ...span, start: start - before, end: end + after };
}
