import { BYTE_ORDER_MARK } from '../byte-order-mark.js';
import { countCodePoints } from './code-points.js';

/**
 * How a tool counted the characters before an offset. Python tools, brat and the i2b2 scripts count
 * code points; Java and JavaScript tools count UTF-16 units; a program that reads `.txt` files in
 * text mode counts CRLF as one; most count a byte order mark at the start of the text.
 */
export interface Counting {
  readonly codePoints: boolean;
  readonly crlfAsOne: boolean;
  readonly byteOrderMark: boolean;
}

/** As Java and JavaScript count. */
export const UTF_16: Counting = { codePoints: false, crlfAsOne: false, byteOrderMark: true };

/** The countings that differ on this text, the usual one first. */
export function countingsOf(text: string): [Counting, ...Counting[]] {
  const usual = { codePoints: true, crlfAsOne: false, byteOrderMark: true };
  const countings: [Counting, ...Counting[]] = [usual];
  const vary = (differ: boolean, change: Partial<Counting>) => {
    if (differ) countings.push(...countings.map((counting) => ({ ...counting, ...change })));
  };
  vary(/[\u{10000}-\u{10ffff}]/u.test(text), { codePoints: false });
  vary(text.includes('\r\n'), { crlfAsOne: true });
  vary(text.startsWith(BYTE_ORDER_MARK), { byteOrderMark: false });
  return countings;
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** From a tool's offsets to UTF-16 offsets. */
export interface Offsets {
  /** Characters in the text, as the tool counts them. */
  readonly count: number;
  /** The UTF-16 offset of the tool's offset; undefined outside the text or within a character. */
  at(offset: number): number | undefined;
}

export function offsetsOf(text: string, counting: Counting): Offsets {
  const from = counting.byteOrderMark ? 0 : BYTE_ORDER_MARK.length;
  const starts = characterStarts(text, from, counting);
  const count = starts === undefined ? text.length - from : starts.length - 1;
  return {
    count,
    at: (offset) => {
      if (offset < 0 || offset > count) return undefined;
      const start = starts === undefined ? offset + from : starts[offset];
      return start === undefined || cutsCharacter(text, start) ? undefined : start;
    },
  };
}

/** The tool's offset of a UTF-16 offset that cuts no character. */
export function countedOffset(text: string, at: number, counting: Counting): number {
  const head = text.slice(0, at);
  const units = counting.codePoints ? countCodePoints(head) : head.length;
  const pairs = counting.crlfAsOne ? (head.match(/\r\n/g)?.length ?? 0) : 0;
  const mark = !counting.byteOrderMark && head.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  return units - pairs - mark;
}

/** The UTF-16 offset of every counted character and of the end; undefined where they are units. */
function characterStarts(
  text: string,
  from: number,
  { codePoints, crlfAsOne }: Counting,
): Uint32Array | undefined {
  const mayBeWide =
    (codePoints && HIGH_SURROGATE.test(text)) || (crlfAsOne && text.includes('\r\n'));
  if (!mayBeWide) return undefined;
  const wide = (at: number) =>
    (codePoints && (text.codePointAt(at) as number) > 0xffff) ||
    (crlfAsOne && text.charCodeAt(at) === 0x0d && text.charCodeAt(at + 1) === 0x0a);
  const starts = new Uint32Array(text.length + 1);
  let count = 0;
  for (let at = from; at < text.length; at += wide(at) ? 2 : 1) starts[count++] = at;
  if (count === text.length - from) return undefined;
  starts[count] = text.length;
  return starts.subarray(0, count + 1);
}

function cutsCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}
