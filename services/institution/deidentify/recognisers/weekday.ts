import { surrogateKind } from '../../../../models/surrogates/surrogate-kind.js';
import { WEEKDAYS } from '../../../../models/surrogates/weekdays.js';
import type { Span } from '../../../../models/text/document.js';

/** The longest first; an accent may be a character of its own. */
const WORDS = [...new Set(WEEKDAYS.flat().flatMap((name) => [name, name.normalize('NFD')]))];
const NAMES = `(?:${WORDS.sort((a, b) => b.length - a.length).join('|')})`;
const BLANKS = String.raw`[ \t\u00a0]{0,3}`;
const MARK = String.raw`\.?${BLANKS}(?:[,:;/|*([–—-]${BLANKS}){0,3}`;
const LINE_END = String.raw`\r?\n${BLANKS}`;
const BETWEEN = `${MARK}(?:${LINE_END})?`;
const APART = String.raw`[ \t\u00a0]{1,3}`;
const JOINING = `(?:(?:the|on|of|el|del?|d[ií]a|(?:date|day|fecha|d[ií]a)${BLANKS}:)${BLANKS}){0,3}`;
/** Of a form. */
const DAY = `(?:day|d[ií]a)${BLANKS}:${BLANKS}`;
const FELL = String.raw`(?:is|was|falls|fell|es|era|fue|cae|cay(?:ó|o\u0301?))`;
const IS = `(?:(?:(?:which|that|que)${APART}(?=${FELL}${APART}))?(?:(?:${FELL}|on|an?|un|the|en|el|d[ií]a)${APART}){1,4}|${DAY})`;
const IN_BRACKETS = String.raw`\(${NAMES}\.?\)|\[${NAMES}\.?\]`;

const NO_WORD = String.raw`(?![\p{L}\p{N}])`;
const HALF = String.raw`(?: ?[ap]\.? ?m\.?| ?h(?:rs?|oras?)?\.?)`;
const ZONE = String.raw`(?:${HALF}| ?(?:Z|UTC|GMT)?(?:[+−-]\d{2}:?\d{2})?)?${NO_WORD}`;
/** The end of a clock, which stands alone where a span has taken in its head. */
const CLOCK_END = String.raw`(?:[.,]\d{1,9})?${ZONE}`;
const HOUR = String.raw`(?<!\d)(?:[01]?\d|2[0-3])`;
const MINUTES = String.raw`(?::[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?|[.,h][0-5]\d(?![.,]?\d)|(?<=\d\d)[0-5]\d)`;
const OF_DAY = String.raw`(?:in the |at )?(?:(?:early|late|mid)[ -])?(?:morning|(?:after)?noon|evening|night|mid(?:day|night))(?!\p{L})`;
const DEL_DIA = String.raw`(?:(?:por|de|en) la (?:ma(?:ñ|n\u0303?)ana|tarde|noche|madrugada)|al? mediod[ií]a)(?!\p{L})`;
const PART_OF_DAY = `(?:${OF_DAY}|${DEL_DIA})`;
/** Before a clock: `from 10:00 to 11:00`, `sobre las 10:30`. */
const LEAD = `(?:(?:at|from|to|until|between|and|around|about|a|las?|desde|hasta|entre|y|sobre|hacia)${APART}|[@~]${BLANKS}){0,3}`;
/** Digits alone are an hour behind `at` or before a part of the day. */
const ALONE = String.raw`(?<=(?:(?<!\p{L})(?:at|a${APART}las?)${APART}|@${BLANKS})\d\d?)${NO_WORD}(?![.,:/-]\d)|(?=${APART}${PART_OF_DAY})`;
const CLOCK = `${LEAD}${HOUR}(?:${MINUTES}${ZONE}|${HALF}${NO_WORD}|${ALONE})`;
const TIME = `(?:${CLOCK}|${PART_OF_DAY})`;

/** A weekday at the head of another date is of that one. */
const NO_DATE = String.raw`(?!(?:${BETWEEN}${TIME}){0,3}${BETWEEN}${JOINING}\d{1,4}(?![:\d]|[.,]\d\d(?![.,]?\d)|${HALF}${NO_WORD}|${APART}${PART_OF_DAY}))`;
const BEFORE = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}])${NAMES}|${IN_BRACKETS})(?:${BETWEEN}${TIME}){0,3}${BETWEEN}${JOINING}$`,
  'iu',
);
const AFTER = new RegExp(
  String.raw`^(?:${CLOCK_END})?(?:(?:T|${MARK})${TIME}){0,3}(?:${BLANKS}(?:${IN_BRACKETS})|(?:${MARK}${NAMES}|${MARK}${IS}${NAMES}(?!${BLANKS}\d)|${MARK}${LINE_END}(?:${DAY})?${NAMES}${NO_DATE})(?![\p{L}\p{N}]))`,
  'iu',
);
const NAME = new RegExp(NAMES, 'iu');
const CLOSING = [
  [/\([^)]*$/, ')'],
  [/\[[^\]]*$/, ']'],
] as const;
/** More than such a word and what stands between. */
const NEAR = 80;

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * A span with the weekday beside it, where it is a date, and the time of day between: once that is moved, the weekday would say
 * by how much, but for whole weeks. Words that are others elsewhere (`sat`, `sun`, `mar`) are weekdays beside a date, but in `measurements` of the text.
 */
export function withWeekday<S extends Span>(
  span: S,
  text: string,
  measurements: readonly Place[],
): S {
  const { type, start, end } = span;
  if (surrogateKind(type, text.slice(start, end)) !== 'date') return span;
  const before = foundIn(text.slice(Math.max(0, start - NEAR), start), BEFORE);
  const closing = CLOSING.find(([opened]) => opened.test(before))?.[1] ?? '';
  const closed = closing !== '' && text.startsWith(closing, end) ? end + closing.length : end;
  const after = foundIn(text.slice(closed, closed + NEAR), AFTER);
  const isMeasured = measurements.some(
    (place) => place.start < closed + after.length && closed < place.end,
  );
  return {
    ...span,
    start: start - before.length,
    end: isMeasured ? closed : closed + after.length,
  };
}

/** Few texts have a weekday, and the expressions take long to compile. */
function foundIn(text: string, expression: RegExp): string {
  return NAME.test(text) ? (expression.exec(text)?.[0] ?? '') : '';
}
