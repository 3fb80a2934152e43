import { surrogateKind } from '../../../../models/surrogates/surrogate-kind.js';
import { WEEKDAYS } from '../../../../models/surrogates/weekdays.js';
import type { Span } from '../../../../models/text/document.js';

/** The longest first; an accent may be a character of its own. */
const WORDS = [...new Set(WEEKDAYS.flat().flatMap((name) => [name, name.normalize('NFD')]))];
const NAMES = `(?:${WORDS.sort((a, b) => b.length - a.length).join('|')})`;
const BLANKS = String.raw`[ \t\u00a0]{0,3}`;
const MARK = String.raw`\.?${BLANKS}[,:;/([–—-]?${BLANKS}`;
const LINE_END = String.raw`\r?\n${BLANKS}`;
const BETWEEN = `${MARK}(?:${LINE_END})?`;
const JOINING = `(?:(?:the|on|el|d[ií]a)${BLANKS}){0,2}`;
const IN_BRACKETS = String.raw`\(${NAMES}\.?\)|\[${NAMES}\.?\]`;
const CLOCK = String.raw`(?:[T ,]{1,2}(?:at |a las )?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?| ?h(?:rs)?)?(?![\p{L}\p{N}]))?`;
/** A weekday at the head of another date is of that one. */
const NO_DATE = String.raw`(?!${BETWEEN}${JOINING}\d{1,4}(?![:\d]))`;
const BEFORE = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}])${NAMES}|${IN_BRACKETS})${BETWEEN}${JOINING}$`,
  'iu',
);
const AFTER = new RegExp(
  String.raw`^${CLOCK}(?:${BLANKS}(?:${IN_BRACKETS})|(?:${MARK}${NAMES}|${MARK}${LINE_END}${NAMES}${NO_DATE})(?![\p{L}\p{N}]))`,
  'iu',
);
const CLOSING = [
  [/\([^)]*$/, ')'],
  [/\[[^\]]*$/, ']'],
] as const;
/** More than such a word and what stands between. */
const NEAR = 60;

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * A span with the weekday beside it, where it is a date: once that is moved, the weekday would say by how much, but for whole
 * weeks. Words that are others elsewhere (`sat`, `sun`, `mar`) are weekdays beside a date, but in `measurements` of the text.
 */
export function withWeekday<S extends Span>(
  span: S,
  text: string,
  measurements: readonly Place[],
): S {
  const { type, start, end } = span;
  if (surrogateKind(type, text.slice(start, end)) !== 'date') return span;
  const before = BEFORE.exec(text.slice(Math.max(0, start - NEAR), start))?.[0] ?? '';
  const closing = CLOSING.find(([opened]) => opened.test(before))?.[1] ?? '';
  const closed = closing !== '' && text.startsWith(closing, end) ? end + closing.length : end;
  const after = AFTER.exec(text.slice(closed, closed + NEAR))?.[0] ?? '';
  const isMeasured = measurements.some(
    (place) => place.start < closed + after.length && closed < place.end,
  );
  return {
    ...span,
    start: start - before.length,
    end: isMeasured ? closed : closed + after.length,
  };
}
