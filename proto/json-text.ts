/**
 * The value of a JSON text, which may begin with a byte order mark, as some editors write it (RFC 8259
 * section 8.1 lets a parser pass over it). Throws what `JSON.parse` throws, whose message quotes the
 * text.
 */
export function parseJsonText(text: string): unknown {
  return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
}
