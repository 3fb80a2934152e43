import { type ErrorCode, TacetError } from './errors.js';

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

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
