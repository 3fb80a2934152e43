import { constants, createInflateRaw } from 'node:zlib';

/** What data unpack to, and how many of their bytes were read for it; neither is counted far beyond `most`. */
export interface Unpacked {
  readonly length: number;
  readonly read: number;
  /** Whether the data break off: a reader that goes on may find more. */
  readonly isDamaged?: boolean;
}

const CHUNK = 1 << 16;
const HEADER = 2;
/** Matches that reach before the first byte are zeros to pdf.js, and errors to zlib without it. */
const BEFORE = Buffer.alloc(1 << 15);

/** Whether data begin as zlib's (RFC 1950), by what pdf.js asks of them: it takes windows that zlib refuses. */
export function isZlib([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 15) === 8 && (method * 256 + flags) % 31 === 0;
}

/** Of zlib's data, without keeping what they unpack to. */
export function inflated(data: Buffer, most: number): Promise<Unpacked> {
  return new Promise((resolve) => {
    const inflate = createInflateRaw({
      dictionary: BEFORE,
      chunkSize: CHUNK,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    let length = 0;
    const end = (isDamaged: boolean) => {
      resolve({ length, read: HEADER + inflate.bytesWritten, isDamaged });
      inflate.destroy();
    };
    inflate.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) end(false);
    });
    inflate.on('end', () => end(false));
    inflate.on('error', () => {
      length += CHUNK;
      end(true);
    });
    inflate.end(data.subarray(HEADER));
  });
}

/** Of RunLengthDecode (ISO 32000-1, 7.4.5). */
export function runLength(data: Buffer, most: number): Unpacked {
  let [length, read] = [0, 0];
  while (read < data.length && length <= most) {
    const run = data[read] as number;
    if (run === 128) break;
    length += run < 128 ? run + 1 : 257 - run;
    read += run < 128 ? run + 2 : 2;
  }
  return { length, read };
}

const [CLEAR, END, FIRST_CODE] = [256, 257, 258];
const CODES = 4096;

/**
 * Of LZWDecode (7.4.4), whose codes become longer `earlyChange` codes before they must. A code that is not known
 * yet stands for the sequence before it and one byte more.
 */
export function lzw(data: Buffer, most: number, earlyChange: 0 | 1): Unpacked {
  const lengths = new Uint16Array(CODES).fill(1, 0, CLEAR);
  let [length, read, bits, held] = [0, 0, 0, 0];
  let [width, next, before, sequence] = [9, FIRST_CODE, 0, 0];
  while (length <= most) {
    for (; bits < width; bits += 8) {
      if (read === data.length) return { length, read };
      held = ((held << 8) | (data[read++] as number)) & 0xffffff;
    }
    bits -= width;
    const code = (held >>> bits) & ((1 << width) - 1);
    if (code === END) break;
    if (code === CLEAR) {
      [width, next, sequence] = [9, FIRST_CODE, 0];
      continue;
    }
    const isFirst = sequence === 0;
    if (code < CLEAR) sequence = 1;
    else sequence = code < next ? (lengths[code] as number) : sequence + 1;
    if (!isFirst) {
      if (next < CODES) lengths[next] = (lengths[before] as number) + 1;
      next++;
      width = Math.max(width, Math.min(12, Math.floor(Math.log2(next + earlyChange)) + 1));
    }
    before = code;
    length += sequence;
  }
  return { length, read };
}

/** What ASCII85Decode (7.4.3) makes of data, up to `~`. */
export function fromAscii85(data: Buffer): Buffer {
  const close = data.indexOf('~');
  const text = data
    .toString('latin1', 0, close < 0 ? data.length : close)
    .replace(/[ \t\r\n]/g, '');
  const zeros = text.split('z').length - 1;
  const bytes = Buffer.alloc(4 * (zeros + Math.ceil(text.length / 5)));
  let length = 0;
  for (let at = 0; at < text.length; length += 4) {
    if (text[at] === 'z') {
      at++;
      continue;
    }
    const group = text.slice(at, at + 5).padEnd(5, 'u');
    let value = 0;
    for (let digit = 0; digit < 5; digit++) value = value * 85 + group.charCodeAt(digit) - 33;
    bytes.writeUInt32BE(value >>> 0, length);
    at += 5;
  }
  return bytes.subarray(0, length);
}

/** What ASCIIHexDecode (7.4.2) makes of data, up to `>`. */
export function fromAsciiHex(data: Buffer): Buffer {
  const close = data.indexOf('>');
  const text = data.toString('latin1', 0, close < 0 ? data.length : close);
  const digits = text.replace(/[^0-9a-f]/gi, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}
