import { anyMonth, ENGLISH_MONTHS, SPANISH_MONTHS, wholeMonth } from './month-names.js';
import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

const YEAR = String.raw`(?:19|20)\d\d`;
const BEFORE = String.raw`(?<![\p{L}\p{N}]|\d[.,/:-]|[$€£#+])`;
const AFTER = String.raw`(?![\p{L}\p{N}%‰°]|[.,/:-]\d)`;
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const ORDINAL = `(?:st|nd|rd|th)?`;
/** Measures, doses and counts: a number before one of them is no day and no year. */
const UNIT = String.raw`(?!\s?(?:[mµu]?g|mcg|kg|[mcdµ]?l|cc|[mcknµ]?m|[munµ]?mol|m?eq|mm|hz|bpm|k?cal|u|i?ui?|iu|units?|unidades|tablets?|pills?|doses?|times|veces|patients|pacientes|cells|células|pg|ng|rpm|gr?|gotas|drops|hours?|horas?|minutes?|minutos|days?|días?|weeks?|semanas?|months?|meses|years?|años?)(?![\p{L}\p{N}]))`;
const CLOCK = String.raw`(?:[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?`;

function shape(pattern: string, form: string, score: number, check?: Shape['check']): Shape {
  const expression = new RegExp(BEFORE + form + AFTER, 'giu');
  return { pattern, expression, score, ...(check && { check }) };
}

/** Whether two of the numbers can be a day and a month, in either order. */
function hasDayAndMonth(match: string): boolean {
  const [first = 0, second = 0] = (match.match(/\d+/g) ?? []).map(Number);
  return isDayOf(first, second) || isDayOf(second, first);
}

/** ISO 8601, section 5.2: the year first, then the month. */
function hasMonthAndDay(match: string): boolean {
  const [, month = 0, day = 0] = (match.match(/\d+/g) ?? []).map(Number);
  return isDayOf(day, month);
}

const LONG_MONTHS: ReadonlySet<number> = new Set([1, 3, 5, 7, 8, 10, 12]);

function isDayOf(day: number, month: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= (month === 2 ? 29 : LONG_MONTHS.has(month) ? 31 : 30);
}

const NUMERIC: readonly Shape[] = [
  shape(
    'day, month and year',
    String.raw`\d{1,2}(?: ?/ ?\d{1,2} ?/ ?|-\d{1,2}-|\.\d{1,2}\.)${YEAR}${CLOCK}`,
    0.6,
    hasDayAndMonth,
  ),
  shape(
    'year, month and day',
    String.raw`${YEAR}([-/.])\d{1,2}\1\d{1,2}${CLOCK}`,
    0.6,
    hasMonthAndDay,
  ),
  shape('with a year of two digits', String.raw`\d{1,2}/\d{1,2}/\d\d${UNIT}`, 0.5, hasDayAndMonth),
  shape(
    'with hyphens and a year of two digits',
    String.raw`\d{1,2}-\d{1,2}-\d\d${UNIT}`,
    0.2,
    hasDayAndMonth,
  ),
  shape('month and year', `(?:0[1-9]|1[0-2])[/-]${YEAR}`, 0.5),
];

/** May and March are verbs, too, unless they are written in capitals. */
function isCapitalised(match: string): boolean {
  return /(?<!\p{L})\p{Lu}/u.test(match);
}

const ANY_MONTH = anyMonth(ENGLISH_MONTHS);
const MONTH = wholeMonth(ENGLISH_MONTHS);

const ENGLISH: readonly Shape[] = [
  shape(
    'day, month in words and year',
    String.raw`${DAY}${ORDINAL}(?: of)?[ -]?${ANY_MONTH},?[ -]?(?:${YEAR}|['’]\d\d)`,
    0.8,
    isCapitalised,
  ),
  shape(
    'month in words, day and year',
    `${ANY_MONTH} (?:the )?${DAY}${ORDINAL},? ${YEAR}`,
    0.8,
    isCapitalised,
  ),
  shape('month in words and year', `${ANY_MONTH}(?: of|,)? ${YEAR}${UNIT}`, 0.7, isCapitalised),
  shape('day and month in words', `${DAY}${ORDINAL}(?: of)? ${MONTH}`, 0.6, isCapitalised),
  shape('month in words and day', `${MONTH} ${DAY}${ORDINAL}${UNIT}`, 0.6, isCapitalised),
];

const ANY_MES = anyMonth(SPANISH_MONTHS);
const MES = wholeMonth(SPANISH_MONTHS);
const OF_YEAR = `(?:(?: de(?:l(?: año)?)?|,)? ${YEAR})`;

const SPANISH: readonly Shape[] = [
  shape('día, mes y año', `(?:${DAY}|1º|primero)(?: de)? ${MES}${OF_YEAR}${UNIT}`, 0.8),
  shape(
    'día, mes abreviado y año',
    String.raw`${DAY}[ /-]?${ANY_MES}[ /-]?(?:${YEAR}|\d\d)${UNIT}`,
    0.7,
  ),
  shape('mes y año', `${MES}${OF_YEAR}${UNIT}`, 0.7),
  shape('día y mes', `(?:${DAY}|1º|primero) de ${MES}`, 0.6),
];

/** Words behind which four digits are a year. */
const TOWARDS_YEAR =
  'in|since|from|until|till|before|after|during|dated|early|late|mid|around|circa|' +
  'en|desde|hasta|hacia|durante|principios de|finales de|mediados de';
/** Another year of a list or of a span of time. */
const YEAR_BEFORE = `${YEAR}(?:,|,? (?:and|or|to|y|o|a)|[-–/])`;

const YEARS: readonly Shape[] = [
  {
    pattern: 'year',
    expression: new RegExp(
      String.raw`(?<=(?<![\p{L}\p{N}])(?:${TOWARDS_YEAR}|${YEAR_BEFORE}) )${YEAR}${UNIT}${AFTER}`,
      'giu',
    ),
    score: 0.45,
  },
  shape('year that is called one', `(?:the year|año) ${YEAR}`, 0.6),
];

const WRITTEN: Readonly<Record<string, readonly Shape[]>> = { en: ENGLISH, es: SPANISH };

/** Dates as the languages write them: in numbers, with months in words, and years behind words that ask for one. */
export function date(languages: readonly string[]): Recogniser {
  const shapes = [
    ...NUMERIC,
    ...YEARS,
    ...languages.flatMap((language) => WRITTEN[language] ?? []),
  ];
  return {
    name: 'DateRecognizer',
    type: 'DATE_TIME',
    context: [
      'date',
      'birth',
      'born',
      'dob',
      'admi',
      'discharge',
      'fecha',
      'nacimiento',
      'ingreso',
      'alta',
    ],
    find: (text) => matchesOf(text, shapes),
  };
}
