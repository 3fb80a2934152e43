/** Of the threshold, or of what it lacks to 1 where that is less. */
const SIGNIFICANT_DIGITS = 3;
/** As many as `toFixed` has. */
const MOST_PLACES = 100;

/**
 * A threshold on a probability for people, who may type it again: at most the threshold itself, since what is exactly
 * as probable counts, and below 1 where that is.
 */
export function thresholdText(threshold: number): string {
  if (threshold >= 1) return '1';
  const nearest = Math.floor(Math.log10(Math.min(threshold, 1 - threshold)));
  const places = Math.min(SIGNIFICANT_DIGITS - 1 - nearest, MOST_PLACES);
  const rounded = threshold.toFixed(places);
  const isAbove = Number(rounded) > threshold;
  const text = isAbove ? threshold.toFixed(MOST_PLACES).slice(0, '0.'.length + places) : rounded;
  return text.replace(/\.?0+$/, '');
}

/** The same in percent, without the sign: the same digits. */
export function thresholdPercentage(threshold: number): string {
  const [whole, digits = ''] = thresholdText(threshold).split('.');
  const hundredths = digits.padEnd(2, '0');
  const rest = hundredths.slice(2);
  const percents = Number(`${whole}${hundredths.slice(0, 2)}`);
  return rest === '' ? `${percents}` : `${percents}.${rest}`;
}
