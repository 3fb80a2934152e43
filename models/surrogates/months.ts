import type { SurrogateLanguage } from './surrogate-language.js';

/** Of each month in order the whole name, the short one, and others that are understood. */
const NAMES: Readonly<Record<SurrogateLanguage, readonly (readonly string[])[]>> = {
  en: lists(
    'january jan, february feb, march mar, april apr, may may, june jun, july jul, august aug, ' +
      'september sep sept, october oct, november nov, december dec',
  ),
  es: lists(
    'enero ene, febrero feb, marzo mar, abril abr, mayo may, junio jun, julio jul, agosto ago, ' +
      'septiembre sep sept setiembre, octubre oct, noviembre nov, diciembre dic',
  ),
};
/** A name that is of both languages is of one month in both. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  Object.values(NAMES).flatMap((names) =>
    names.flatMap((written, at) => written.map((name) => [name, at + 1] as const)),
  ),
);

/** From 1, of a name in any case; undefined where it is none. */
export function monthNamed(word: string): number | undefined {
  return MONTHS.get(word.toLowerCase());
}

/** In small letters. `month` counts from 1. */
export function monthName(month: number, language: SurrogateLanguage, isShort: boolean): string {
  return NAMES[language][month - 1]?.[isShort ? 1 : 0] as string;
}

export function isMonthIn(language: SurrogateLanguage, word: string): boolean {
  return NAMES[language].some((written) => written.includes(word.toLowerCase()));
}

function lists(months: string): string[][] {
  return months.split(', ').map((names) => names.split(' '));
}
