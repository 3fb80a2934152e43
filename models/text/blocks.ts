/** A piece of a text, from UTF-16 offset `start`. */
export interface Block {
  readonly start: number;
  readonly text: string;
}

const DEFAULT_LENGTH = 32_768;
const BLANK_LINE = /\n[^\S\n]*\n/g;

/**
 * Pieces of at most `length` UTF-16 units that make up the text, so that a long one can be worked on
 * in bounded memory. They end at a blank line, where every sentence ends too; in a piece without one
 * at a line's end, else at a space, else between two characters.
 */
export function* blocksOf(text: string, length = DEFAULT_LENGTH): Generator<Block> {
  for (let start = 0; start < text.length; ) {
    const window = text.slice(start, start + length);
    const isLast = start + window.length === text.length;
    const size = isLast ? window.length : cutOf(window);
    yield { start, text: window.slice(0, size) };
    start += size;
  }
}

function cutOf(window: string): number {
  let blank = 0;
  for (const match of window.matchAll(BLANK_LINE)) blank = match.index + match[0].length;
  if (blank > 0) return blank;
  const line = window.lastIndexOf('\n') + 1;
  if (line > 0) return line;
  const space = window.search(/\s\S*$/) + 1;
  if (space > 0) return space;
  const last = window.charCodeAt(window.length - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return isHighSurrogate && window.length > 1 ? window.length - 1 : window.length;
}
