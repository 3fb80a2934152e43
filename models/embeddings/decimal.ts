const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/**
 * The decimal number in `bytes[start, end)`, NaN where there is none. Up to 15 digits and 22 decimal
 * places are an exact integer over an exact power of ten, so one division rounds as `Number` does
 * (Clinger 1990, section 3); anything else goes through `Number`.
 */
export function parseDecimal(bytes: Buffer, start: number, end: number): number {
  let i = start;
  const sign = bytes[i];
  if (sign === MINUS || sign === PLUS) i++;
  let integer = 0;
  let digits = 0;
  let places = 0;
  let point = false;
  for (; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= ZERO && byte <= NINE) {
      integer = integer * 10 + (byte - ZERO);
      digits++;
      if (point) places++;
    } else if (byte === POINT && !point) point = true;
    else return parseRare(bytes, start, end);
  }
  if (digits === 0 || digits > EXACT_DIGITS) return parseRare(bytes, start, end);
  const value = places === 0 ? integer : integer / (POWERS[places] as number);
  return sign === MINUS ? -value : value;
}

function parseRare(bytes: Buffer, start: number, end: number): number {
  const text = bytes.toString('latin1', start, end);
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}
