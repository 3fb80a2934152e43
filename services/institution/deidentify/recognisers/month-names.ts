/** A language's months in order: whole names, and what they are cut to, of which a full stop may stand behind. */
export interface MonthNames {
  readonly whole: readonly string[];
  readonly short: readonly string[];
}

export const ENGLISH_MONTHS: MonthNames = {
  whole: words(
    'january february march april may june july august september october november december',
  ),
  short: words('jan feb mar apr jun jul aug sept sep oct nov dec'),
};

export const SPANISH_MONTHS: MonthNames = {
  whole: words(
    'enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre',
  ),
  short: words('ene feb mar abr may jun jul ago sept sep oct nov dic'),
};

/** The source of an expression for any of them. */
export function anyMonth({ whole, short }: MonthNames): string {
  return `(?:${whole.join('|')}|(?:${short.join('|')})\\b\\.?)`;
}

export function wholeMonth({ whole }: MonthNames): string {
  return `(?:${whole.join('|')})`;
}

function words(list: string): readonly string[] {
  return list.split(' ');
}
