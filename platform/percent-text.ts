interface Precision {
  readonly digits?: number;
}

/** A share for people: `0.537` is `53.7 %`. */
export function percent(share: number, precision?: Precision): string {
  return `${hundredths(share, precision)} %`;
}

/** The same without its sign, for a column that has it in its head. */
export function hundredths(share: number, { digits = 1 }: Precision = {}): string {
  return (100 * share).toFixed(digits);
}
