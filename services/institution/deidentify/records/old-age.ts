/** HIPAA Safe Harbor joins all ages over 89. */
const OLDEST_YEARS = 89;
/** Marks and words such as `old` may follow; the rest of a word or of a rate (`a-1`) may not. */
const ENDS = String.raw`\.?(?![\p{L}\p{N}./*^-])`;
const WORD_ENDS = String.raw`(?![\p{L}\p{N}])`;

/** Years each of units that begin so: codes of UCUM, and names in several languages. */
const IN_YEARS: readonly (readonly [RegExp, number])[] = [
  [
    unitLike(
      'a|ann|y|y[./-]?o',
      'yrs?|years?|años?|anos?|ans?|années?|anni|jahr(?:en?)?|jaar|jaren',
    ),
    1,
  ],
  [unitLike('mo|mon', 'mos|mths?|months?|mes(?:es)?|mois|mesi|monat(?:en?)?|maand(?:en)?'), 1 / 12],
  [unitLike('wk', 'wks|weeks?|semanas?|semaines?|settimane|wochen?|weken'), 1 / 52],
  [unitLike('d|dy', 'days?|días?|dias?|jours?|giorni|tag(?:en?)?|dagen'), 1 / 365],
  [unitLike('h|hr', 'hrs|hours?|horas?|heures?|stunden?'), 1 / 8760],
  [unitLike('min', 'mins|minutes?|minutos?|minuten'), 1 / 525_600],
];

/**
 * A date of birth that was moved to the past, which begins with its year; undefined where it makes someone older than 89 today.
 * Were it the one before that decides, one that came to make someone older would say by how much it moved.
 */
export function youngBirth(moved: string | undefined): string | undefined {
  const year = Number(/^\d{4}/.exec(moved ?? '')?.[0]);
  return new Date().getUTCFullYear() - year <= OLDEST_YEARS ? moved : undefined;
}

/** Whether an age is over 89 years by any of its units; without a known one it is taken for years. */
export function isOldAge(number: number, ...units: readonly string[]): boolean {
  const isKnown = units.some((unit) => yearsEach(unit) !== undefined);
  return isKnown ? isOldQuantity(number, ...units) : number > OLDEST_YEARS;
}

/** Whether a quantity of anything says by any of its units that it is over 89 years: hardly anything but an age is. */
export function isOldQuantity(number: number, ...units: readonly string[]): boolean {
  return units.some((unit) => number * (yearsEach(unit) ?? 0) > OLDEST_YEARS);
}

function yearsEach(unit: string): number | undefined {
  const plain = unit.normalize('NFC').trim();
  return IN_YEARS.find(([form]) => form.test(plain))?.[1];
}

/** UCUM has annotations in braces, and kinds of years and months behind a low line. */
function unitLike(codes: string, words: string): RegExp {
  return new RegExp(`^[{[(]?(?:(?:${codes})(?:_[jtgs])?${ENDS}|(?:${words})${WORD_ENDS})`, 'iu');
}
