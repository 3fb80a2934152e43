import { type ErrorCode, TacetError } from './errors.js';

/** A request whose body is no JSON. */
export class NotJson extends TacetError {
  constructor() {
    super('request-invalid', 'the body is not JSON');
  }
}

/**
 * The value of a JSON text, which may begin with a byte order mark, as some editors write it (RFC 8259
 * section 8.1 lets a parser pass over it). Throws what `JSON.parse` throws, whose message quotes the
 * text.
 */
export function parseJsonText(text: string): unknown {
  return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
}

/** The same, of a text or its bytes in UTF-8; undefined, which no JSON means, where it is none. */
export function jsonIn(text: string | Uint8Array): unknown {
  try {
    return parseJsonText(typeof text === 'string' ? text : UTF_8.decode(text));
  } catch {
    return undefined;
  }
}

/** The same; throws a `TacetError` of this code and message where it is none. */
export function requireJson(text: string | Uint8Array, code: ErrorCode, message: string): unknown {
  const value = jsonIn(text);
  if (value === undefined) throw new TacetError(code, message);
  return value;
}

/**
 * A JSON text, or lines of some, in which what stands between its strings is changed. A pattern that takes a string
 * with its escapes would exhaust the stack where it has some millions of characters, as attachments do.
 */
export function withBetweenStrings(json: string, change: (between: string) => string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const start = json.indexOf('"', at);
    if (start < 0) {
      parts.push(change(json.slice(at)));
      break;
    }
    const end = endOfString(json, start);
    parts.push(change(json.slice(at, start)), json.slice(start, end));
    at = end;
  }
  return parts.join('');
}

/** Behind the quote that ends the string that begins here; the end of the text where none does. */
function endOfString(json: string, start: number): number {
  for (let quote = start; ; ) {
    quote = json.indexOf('"', quote + 1);
    if (quote < 0) return json.length;
    let escapes = 0;
    while (json[quote - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return quote + 1;
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
