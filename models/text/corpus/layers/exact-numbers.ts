import { TacetError } from '../../../../proto/errors.js';
import { withBetweenStrings } from '../../../../proto/json-text.js';

/**
 * Numbers of JSON with more digits than a double keeps, as ids of other systems have them, are read as strings
 * that begin with this and written as what they were.
 */
const MARK = '\u0000#';
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const TOKEN = new RegExp(`(?<![\\w.+-])${NUMBER}(?![\\w.])`, 'g');
const MARKED = new RegExp(`^${MARK}${NUMBER}$`);
const WRITTEN_KEY = new RegExp(`"\\\\u0000#(${NUMBER})":`, 'g');
const WRITTEN = new RegExp(`"\\\\u0000#(${NUMBER})"`, 'g');

/** A JSON text, or lines of some, with such numbers marked. Throws `corpus-invalid` where a text could be taken for one. */
export function withMarkedNumbers(json: string, origin: string): string {
  const hasControl = json.includes('\u0000') || /\\u0000/i.test(json);
  const mark = (token: string) => {
    if (isKept(token)) return token;
    if (hasControl)
      throw new TacetError(
        'corpus-invalid',
        `${origin}: a number has more digits than can be kept beside the character U+0000; write it as a string`,
      );
    return JSON.stringify(MARK + token);
  };
  return withBetweenStrings(json, (between) => between.replace(TOKEN, mark));
}

/** The same with its numbers as they were. */
export function withoutMarks(json: string): string {
  // A structure may be called by one, and keys are strings.
  return json.replace(WRITTEN_KEY, '"$1":').replace(WRITTEN, '$1');
}

export function isMarkedNumber(value: unknown): boolean {
  return typeof value === 'string' && MARKED.test(value);
}

/** Whether JavaScript writes it with the same value. */
function isKept(token: string): boolean {
  const written = String(Number(token));
  return written === token || digitsOf(written) === digitsOf(token);
}

/** Sign, digits without zeros around them, and where the point stands; the same for the same value alone. */
function digitsOf(number: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const point = digits.length - part.length + Number(exponent);
  const short = digits.replace(/0+$/, '');
  return short === '' ? '0' : `${sign}${short}e${point}`;
}
