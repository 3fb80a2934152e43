import { jsonIn } from '../../../../../proto/json-text.js';

/**
 * Numbers of FHIR mean what they are written as: 1.50 is more precise than 1.5 (FHIR R4, decimal). They are
 * read as strings that begin with this, which no string of FHIR may hold.
 */
const MARK = '\u0000#';
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The value of a JSON text, its numbers as `isNumber` tells them; undefined where it is none. */
export function parseExactJson(text: string): unknown {
  if (text.includes('\u0000') || /\\u0000/i.test(text) || jsonIn(text) === undefined)
    return undefined;
  return jsonIn(withMarkedNumbers(text));
}

/** Of JSON. A string is looked for by its ends: a pattern's stack is too small for an attachment of some megabytes. */
function withMarkedNumbers(json: string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const start = json.indexOf('"', at);
    const between = start < 0 ? json.slice(at) : json.slice(at, start);
    parts.push(between.replace(NUMBERS, (number) => JSON.stringify(MARK + number)));
    if (start < 0) break;
    at = stringEnd(json, start);
    parts.push(json.slice(start, at));
  }
  return parts.join('');
}

/** Behind the string that begins at `start`. */
function stringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
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
