import { jsonIn, withBetweenStrings } from '../../../../../proto/json-text.js';

/**
 * Numbers of FHIR mean what they are written as: 1.50 is more precise than 1.5 (FHIR R4, decimal). They are
 * read as strings that begin with this, which no string of FHIR may hold.
 */
const MARK = '\u0000#';
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TOKEN = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The value of a JSON text, its numbers as `isNumber` tells them; undefined where it is none. */
export function parseExactJson(text: string): unknown {
  if (text.includes('\u0000') || /\\u0000/i.test(text) || jsonIn(text) === undefined)
    return undefined;
  const marked = withBetweenStrings(text, (between) =>
    between.replace(TOKEN, (token) => JSON.stringify(MARK + token)),
  );
  return jsonIn(marked);
}

export function isNumber(value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'number';
  return value.startsWith(MARK) && NUMBER.test(value.slice(MARK.length));
}

/** What a number is; undefined for what is none. */
export function numberOf(value: unknown): number | undefined {
  if (!isNumber(value)) return undefined;
  return typeof value === 'string' ? Number(value.slice(MARK.length)) : (value as number);
}

/** As JSON, with every number as it was written. */
export function formatExactJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/"\\u0000#([^"]*)"/g, '$1');
}
