import { INEXACT, isAgeInDigits } from '../../../../models/surrogates/age-words.js';
import { surrogateKind } from '../../../../models/surrogates/surrogate-kind.js';
import type { Span } from '../../../../models/text/document.js';

/** An accent may be a character of its own. */
const MORE = String.raw`m(?:á|a\u0301?)s`;
const YEARS = String.raw`a(?:ñ|n\u0303?)os?`;
const ROUGHLY = String.raw`approx(?:imately|\.)?|appx\.?|aprox(?:imadamente|\.)?`;
const BOUNDS = [
  ...['over', 'under', 'above', 'below', 'beyond', 'past', 'up to', 'at least', 'at most', 'from'],
  ...['about', 'around', 'roughly', ROUGHLY, 'circa', 'ca\\.?', 'c\\.', 'some', 'almost', 'nearly'],
  ...['close to', 'early', 'mid', 'late', 'exceeding', 'before', 'until', 'not yet', 'minimum'],
  '(?:more|less|older|younger|greater|fewer) than(?: or equal to)?',
  ...[`(?:${MORE}|menos) de`, '(?:mayor|menor)(?:es)?(?: o igual(?:es)?)? (?:de|que|a)'],
  ...['(?:superior|inferior)(?:es)?(?: o igual(?:es)?)? a', 'por (?:encima|debajo) de'],
  ...['a partir de', 'al menos', 'desde', 'antes de', 'hasta', 'sobre'],
  ...['unos', 'unas', 'casi', 'cerca de', 'alrededor de', 'en torno a', 'rondando'],
].map((words) => words.replaceAll(' ', String.raw`\s{1,3}`));
const BETWEEN = '(?:between|entre)';
const AGE_OF = String.raw`(?:(?:(?:the\s)?ages?(?:\sof)?|the|los|las|la\sedad\sde)\s{1,3})?`;
const UNIT = String.raw`(?:[\s-]{0,2}(?:y/?o|y|years?|yrs?|${YEARS}|mo?|months?|mes(?:es)?)(?:[\s-]{1,2}old)?(?!\p{L}))?`;
const NUMBER = String.raw`(?<![\p{L}\p{N}.,/-])\d{1,3}${UNIT}`;
const BLANKS = String.raw`[ \t\u00a0]{0,3}`;
const TO = String.raw`${BLANKS}(?:\p{Pd}|−|/|to|through|or|a|hasta|[oóu])${BLANKS}`;
const PLUS_MINUS = String.raw`(?:±|&plusmn;|\+${BLANKS}/${BLANKS}[\p{Pd}−])${BLANKS}`;
/** Also as HTML writes it. */
const SIGN = `(?:${INEXACT}|&(?:[lg][te]|asymp);)`;
const AND = String.raw`\s{1,3}(?:and|y)\s{1,3}`;

const BEFORE = [
  String.raw`(?<!\p{L})(?:${BOUNDS.join('|')}|${BETWEEN})(?:[\s-]|(?<=\.))[\s-]{0,2}${AGE_OF}`,
  String.raw`(?:${NUMBER}${BLANKS}\(?)?${PLUS_MINUS}`,
  `=?${SIGN}${BLANKS}=?${BLANKS}`,
  String.raw`(?<!\p{L})${BETWEEN}\s{1,3}${AGE_OF}${NUMBER}${AND}${AGE_OF}`,
].join('|');
const AFTER = [
  String.raw`${BLANKS}(?:${PLUS_MINUS}\d{1,3}${UNIT}|\(${PLUS_MINUS}\d{1,3}${UNIT}\))`,
  String.raw`${BLANKS}(?:\+|plus(?!\p{L})|-?(?:ish|something)(?!\p{L}))`,
  String.raw`,?(?:\s{1,3}(?:or|and)\s{1,3}|\s{0,3}&(?:amp;)?\s{0,3})(?:older|over|above|up|under|younger|below)(?!\p{L})`,
  String.raw`,?\s{1,3}or\s{1,3}(?:more|less|so)(?!\p{L})`,
  String.raw`,?\s{1,3}[oy]\s{1,3}(?:${MORE}|menos|mayor(?:es)?|menor(?:es)?)(?!\p{L})`,
  String.raw`,?\s{1,3}(?:${ROUGHLY}|en\sadelante)(?!\p{L})|\s{0,3}\((?:${ROUGHLY})\)`,
].join('|');
const BOUND_BEFORE = new RegExp(`(?:${BEFORE})$`, 'iu');
const BOUND_AFTER = new RegExp(`^${UNIT}(?:${AFTER})`, 'iu');
const LOW_BEFORE = new RegExp(`${NUMBER}${TO}$`, 'iu');
/** `45 / 80 kg` is an age and a weight. */
const OTHER_UNIT = String.raw`[\s-]{0,2}(?:%|(?:kgs?|kilos?|kilogra?m(?:o|me)?s?|lbs?|libras?|pounds?|mc?g|g|ml|cc|cms?|mm(?:hg)?|bpm|lpm)(?!\p{L}))`;
const HIGH_AFTER = new RegExp(
  String.raw`^${UNIT}${TO}\d{1,3}(?![\d/]|[.,]\d|${OTHER_UNIT})${UNIT}`,
  'iu',
);
/** More than such words and what stands between. */
const NEAR = 60;

/**
 * A span with what makes it a bound, a guess or a range, where it is an age in digits: `over` before `65`, `or older` behind it,
 * `40 to` before `50`. Such ages are round, and moved by themselves they would say by how much.
 */
export function withBound<S extends Span>(span: S, text: string): S {
  const { type, start, end } = span;
  const phi = text.slice(start, end);
  if (surrogateKind(type, phi) !== 'age' || !isAgeInDigits(phi)) return span;
  const age = numberIn(phi);
  const left = text.slice(Math.max(0, start - NEAR), start);
  const right = text.slice(end, end + NEAR);
  const [low] = LOW_BEFORE.exec(left) ?? [];
  const [high] = HIGH_AFTER.exec(right) ?? [];
  const before = low !== undefined && numberIn(low) < age ? low : BOUND_BEFORE.exec(left)?.[0];
  const after = high !== undefined && numberIn(high) > age ? high : BOUND_AFTER.exec(right)?.[0];
  return { ...span, start: start - (before?.length ?? 0), end: end + (after?.length ?? 0) };
}

function numberIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0]);
}
