import type { Random } from '../../models/tensor/random.js';

/** What breaks parsers: markup, escapes, controls, halves of characters, huge numbers, bombs. */
const NASTY = [
  ']]>',
  '<![CDATA[',
  '<!DOCTYPE a [<!ENTITY e "e">]>',
  '&#0;',
  '&e;',
  '<TEXT>',
  '</TAGS>',
  '"',
  '\\',
  '\\ud800',
  '{"text":',
  '"__proto__":',
  '[[[[[[[[',
  '}]',
  ',',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '\n\n-DOCSTART- x O\n',
  ' B-A\n',
  ' I-A\n',
  '\tE-A\n',
  ';',
  '-1',
  '99999999999',
  '1e400',
  '0.5',
  '\0',
  '\u0085',
  '\u2028',
  '\u0301\u0301\u0301',
  '\u200d',
  '\ufeff',
  '😀',
  '𝐀',
  'Dr. ',
  '3. Mai ',
].map((text) => Buffer.from(text));
/** Bytes that are no UTF-8: cut, overlong, surrogate, out of range, gzip. */
const BYTES = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80], [0x1f, 0x8b, 8]].map(
  (bytes) => Buffer.from(bytes),
);
/** Most inputs have one or two, so that some get past the first check. */
const MAX_EDITS = 5;
const MAX_REPEATS = 4096;
/** An input is at most this long, in bytes. */
export const MAX_INPUT_BYTES = 65_536;

/** One of the samples with a few edits: cut, changed, doubled, repeated or spliced with another. */
export function mutate(samples: readonly Buffer[], random: Random): Buffer {
  let input = pick(samples, random);
  for (let edits = 1 + random.integer(1 + random.integer(MAX_EDITS)); edits > 0; edits--)
    input = edit(input, samples, random).subarray(0, MAX_INPUT_BYTES);
  return input;
}

function edit(input: Buffer, samples: readonly Buffer[], random: Random): Buffer {
  const from = random.integer(input.length + 1);
  const to = Math.min(input.length, from + random.integer(2 ** random.integer(10)));
  const around = (middle: Buffer) =>
    Buffer.concat([input.subarray(0, from), middle, input.subarray(to)]);
  switch (random.integer(8)) {
    case 0:
      return around(Buffer.alloc(0));
    case 1:
      return around(pick(BYTES, random));
    case 2:
      return around(Buffer.from([random.integer(256)]));
    case 3:
      return input.subarray(0, from);
    case 4:
      return around(Buffer.concat([input.subarray(from, to), input.subarray(from, to)]));
    case 5:
      return around(repeated(pick(NASTY, random), random));
    case 6:
      return Buffer.concat([input.subarray(0, from), pick(samples, random).subarray(from)]);
    default:
      return around(pick(NASTY, random));
  }
}

/** Often a few times, seldom thousands. */
function repeated(unit: Buffer, random: Random): Buffer {
  const most = Math.min(MAX_REPEATS, 2 ** random.integer(13));
  return Buffer.concat(Array.from({ length: 1 + random.integer(most) }, () => unit));
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[random.integer(items.length)] as T;
}
