import { inflateSync } from 'node:zlib';
import { TacetError } from '../../../proto/errors.js';

/** What the streams of a file may unpack to, in bytes: a note's pages with their fonts are a tenth of it. */
const MOST_UNPACKED = 200_000_000;
/** LZW packs up to some thousand bytes into one, and Node cannot unpack it to see. */
const MOST_LZW = 100_000;
const END = Buffer.from('endstream');
const STREAM = Buffer.from('stream');
/** Of the dictionary before a stream, which names its filters. */
const DICTIONARY_BYTES = 2000;

/**
 * Throws `corpus-invalid` where the streams of a PDF would unpack to more than fits into memory, or hide how
 * much it is: packed twice, or encrypted. pdf.js itself has no such limit.
 */
export function requireModestStreams(pdf: Uint8Array, origin: string): void {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  if (bytes.includes('/Encrypt'))
    throw refusal(
      origin,
      'the PDF is encrypted; save it without a password and without encryption',
    );
  let left = MOST_UNPACKED;
  for (let at = bytes.indexOf(STREAM); at >= 0; ) {
    const from = startOf(bytes, at + STREAM.length);
    const end = bytes.indexOf(END, from);
    const to = end < 0 ? bytes.length : end;
    const dictionary = bytes.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at);
    const filters = dictionary.slice(dictionary.lastIndexOf(' obj') + 1);
    left -= unpackedBytes(filters, bytes.subarray(from), to - from, left, origin);
    at = bytes.indexOf(STREAM, to + END.length);
  }
}

/** Behind the end of the line that says `stream`. */
function startOf(bytes: Buffer, at: number): number {
  const from = bytes[at] === 0x0d ? at + 1 : at;
  return bytes[from] === 0x0a ? from + 1 : from;
}

/** `data` begin with the stream, whose packing says where it ends; `length` is what the file says. */
function unpackedBytes(
  filters: string,
  data: Buffer,
  length: number,
  most: number,
  origin: string,
): number {
  const packings = filters.match(/\/(FlateDecode|Fl|LZWDecode|LZW)\b/g) ?? [];
  if (packings.length > 1) throw refusal(origin, 'a stream is packed twice; save the PDF anew');
  if (/LZW/.test(packings[0] ?? '') && length > MOST_LZW)
    throw refusal(origin, 'a stream is packed with LZW; save the PDF anew');
  if (packings.length === 0) return length;
  try {
    return inflateSync(data, { maxOutputLength: most }).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw refusal(origin, `unpacked it is larger than ${MOST_UNPACKED / 1e6} MB; split it`);
    return length;
  }
}

function refusal(origin: string, problem: string): TacetError {
  return new TacetError('corpus-invalid', `${origin}: ${problem}`);
}
