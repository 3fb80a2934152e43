import { TacetError } from '../../../proto/errors.js';
import {
  fromAscii85,
  fromAsciiHex,
  inflated,
  isZlib,
  lzw,
  runLength,
  type Unpacked,
} from './pdf-filters.js';
import { nextLine, type StreamHead, streamHeads, valueBehind } from './pdf-stream-heads.js';

/** What the streams of a file may unpack to, in bytes: a note's pages with their fonts are a tenth of it. */
const MOST_UNPACKED = 200_000_000;
const END = Buffer.from('endstream');
const STREAM = Buffer.from('stream');
/** Any of its characters may stand as `#` and two digits. */
const ENCRYPT = new RegExp(
  `/${Array.from('Encrypt', (sign) => `(?:${sign}|#${sign.charCodeAt(0).toString(16).replace('e', '[eE]')})`).join('')}`,
);

/** By their names and short names in pdf.js: what makes bytes of text, what packs, what makes pictures. */
const KINDS: Readonly<Record<string, 'text' | 'packing' | 'picture'>> = {
  ...{ ASCII85Decode: 'text', A85: 'text', ASCIIHexDecode: 'text', AHx: 'text' },
  ...{ FlateDecode: 'packing', Fl: 'packing', LZWDecode: 'packing', LZW: 'packing' },
  ...{ RunLengthDecode: 'packing', RL: 'packing' },
  ...{ DCTDecode: 'picture', DCT: 'picture', JPXDecode: 'picture', JBIG2Decode: 'picture' },
  ...{ CCITTFaxDecode: 'picture', CCF: 'picture' },
};
const KNOWN_ORDER = /^(text )?(packing )?(picture )?$/;

/**
 * Throws `corpus-invalid` where the streams of a PDF would unpack to more than fits into memory, or hide how
 * much it is: packed twice, encrypted, or with filters that stand elsewhere. pdf.js itself has no such limit.
 */
export async function requireModestStreams(pdf: Uint8Array, origin: string): Promise<void> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  if (ENCRYPT.test(bytes.toString('latin1')))
    throw refusal(
      origin,
      'the PDF is encrypted; save it without a password and without encryption',
    );
  let left = MOST_UNPACKED;
  const spend = (length: number) => {
    left -= length;
    if (left < 0)
      throw refusal(origin, `unpacked it is larger than ${MOST_UNPACKED / 1e6} MB; split it`);
  };
  const done = new Set<number>();
  for (const head of streamHeads(bytes, spend)) {
    if (done.has(head.dataAt)) continue;
    done.add(head.dataAt);
    const filters = filtersOf(head, origin);
    await spendUnpacked(filters, head, bytes.subarray(head.dataAt), () => left, spend, origin);
  }
  // Whatever a dictionary says: what was overlooked above is counted here.
  for (const at of streamData(bytes)) {
    const data = bytes.subarray(at);
    if (!done.has(at) && isZlib(data)) spend(cost(await inflated(data, left)));
  }
}

/** The filters of a stream that pdf.js knows, in order. */
function filtersOf({ dictionary, isNested }: StreamHead, origin: string): readonly string[] {
  if (isNested) throw refusal(origin, 'a stream stands within another object; save the PDF anew');
  const filters: string[] = [];
  let depth = 0;
  for (const [at, token] of dictionary.entries()) {
    if (token === '<<') depth++;
    else if (token === '>>') depth--;
    if (token !== '/Filter' && !(token === '/F' && depth === 0)) continue;
    const value = valueBehind(dictionary, at);
    if (value.includes('R'))
      throw refusal(origin, 'how a stream is packed stands elsewhere; save the PDF anew');
    for (const name of value.map((each) => each.slice(1)))
      if (Object.hasOwn(KINDS, name)) filters.push(name);
  }
  if (!KNOWN_ORDER.test(filters.map((name) => `${KINDS[name]} `).join('')))
    throw refusal(origin, 'a stream is packed twice; save the PDF anew');
  return filters;
}

async function spendUnpacked(
  filters: readonly string[],
  { dictionary }: StreamHead,
  stored: Buffer,
  left: () => number,
  spend: (length: number) => void,
  origin: string,
): Promise<void> {
  let data = stored;
  for (const name of filters) {
    if (KINDS[name] === 'text') {
      data = name.startsWith('ASCIIH') || name === 'AHx' ? fromAsciiHex(data) : fromAscii85(data);
      spend(data.length);
    } else if (name.startsWith('LZW')) {
      requirePlainLzw(dictionary, origin);
      spend(Math.max(cost(lzw(data, left(), 0)), cost(lzw(data, left(), 1))));
    } else if (name.startsWith('R')) spend(cost(runLength(data, left())));
    else if (name.startsWith('F') && isZlib(data)) {
      const unpacked = await inflated(data, left());
      spend(cost(unpacked));
      const end = data.indexOf(END);
      if (unpacked.isDamaged && (end < 0 || unpacked.read < end))
        throw refusal(origin, 'a stream is damaged; save the PDF anew');
    }
  }
  if (filters.length === 0 && isZlib(data)) spend(cost(await inflated(data, left())));
}

/** Other parameters would make other codes of the same bytes. */
function requirePlainLzw(dictionary: readonly string[], origin: string): void {
  for (const [at, token] of dictionary.entries()) {
    const value = valueBehind(dictionary, at);
    const isElsewhere = /^\/(DecodeParms|DP)$/.test(token) && value.includes('R');
    if (isElsewhere || (token === '/EarlyChange' && !/^[01]$/.test(value.join(' '))))
      throw refusal(origin, 'how a stream is packed with LZW is not plain; save the PDF anew');
  }
}

/** Reading costs too, where there is little to unpack. */
function cost({ length, read }: Unpacked): number {
  return Math.max(length, read);
}

/** Where data begin behind each word `stream`, wherever it stands. */
function* streamData(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(STREAM); at >= 0; at = bytes.indexOf(STREAM, at + 1))
    if (bytes.toString('latin1', at - 3, at) !== 'end') yield nextLine(bytes, at + STREAM.length);
}

function refusal(origin: string, problem: string): TacetError {
  return new TacetError('corpus-invalid', `${origin}: ${problem}`);
}
