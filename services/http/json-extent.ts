import { TacetError } from '../../proto/errors.js';

/** No request needs more; what lies deeper exhausts the stack of whoever copies or writes it. */
const MAX_DEPTH = 256;
/**
 * In all lists and objects together: 10,000 documents of sixty labelled spans each have fewer. Twenty million empty objects,
 * in a body of 60 MB, keep a server from all others for half a minute while they are parsed.
 */
const MAX_VALUES = 3_000_000;

const [QUOTE, ESCAPE, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Throws `request-invalid` where a JSON text in UTF-8 has more values, or deeper ones, than any request needs, before it is
 * parsed: what that takes grows with its values, not with its bytes. Of bytes that are no JSON text it says nothing.
 */
export function requireModestJson(bytes: Uint8Array): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (byte === OBJECT || byte === LIST) {
      values++;
      depth++;
    } else if (byte === OBJECT_END || byte === LIST_END) depth--;
    if (depth > MAX_DEPTH)
      throw tooMuch(`lists and objects lie deeper than ${MAX_DEPTH}`, 'in each other');
    if (values > MAX_VALUES)
      throw tooMuch(`lists and objects hold more than ${MAX_VALUES} values`, 'in each request');
  }
}

/** Where the string that begins at `start` ends. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let quote = start; ; ) {
    quote = bytes.indexOf(QUOTE, quote + 1);
    if (quote < 0) return bytes.length;
    let escapes = 0;
    while (bytes[quote - 1 - escapes] === ESCAPE) escapes++;
    if (escapes % 2 === 0) return quote;
  }
}

function tooMuch(what: string, where: string): TacetError {
  return new TacetError('request-invalid', `the body: ${what}; send fewer ${where}`);
}
