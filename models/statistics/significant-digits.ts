/**
 * A number with at most `digits` significant digits, as Python prints `{:.4}` of a float: half to
 * even on the exact binary value, no trailing zeros, a ".0" on whole numbers, "nan".
 */
export function significantDigits(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (value === 0) return '0.0';
  const [mantissa = '', exponent = ''] = roundHalfEven(value, digits).split('e');
  const power = Number(exponent);
  if (power < SMALLEST_PLAIN_POWER || power >= digits)
    return `${withoutZeros(mantissa)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  const plain = withoutZeros(Number(`${mantissa}e${exponent}`).toFixed(digits - 1 - power));
  return plain.includes('.') ? plain : `${plain}.0`;
}

const SMALLEST_PLAIN_POWER = -4;
/** Tells a tie from every other double: no double is so near one without being it. */
const EXACT_DIGITS = 40;

/** In exponential form. */
function roundHalfEven(value: number, digits: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(EXACT_DIGITS).split('e');
  const isTie = /^50*$/.test(mantissa.replace(/[-.]/g, '').slice(digits));
  const kept = mantissa.slice(0, mantissa.indexOf('.') + digits);
  const isEven = /[02468]\.?$/.test(kept);
  return isTie && isEven ? `${kept}e${exponent}` : value.toExponential(digits - 1);
}

function withoutZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
