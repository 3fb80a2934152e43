/** U+FEFF. At the start of a note it is one of its characters, which the offsets of every format count. */
export const BYTE_ORDER_MARK = '\ufeff';

/** The text behind a byte order mark, where one stands before it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}
