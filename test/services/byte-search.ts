import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateSync, constants as zlib } from 'node:zlib';

/** Every common way to write `text` as bytes; parts of base64 that its neighbours would change are left off. */
export function encodingsOf(text: string): Buffer[] {
  const utf8 = Buffer.from(text, 'utf8');
  const hex = utf8.toString('hex');
  const written = [
    ...[0, 1, 2].flatMap((offset) => base64At(utf8, offset)),
    hex,
    hex.toUpperCase(),
    hex.replace(/../g, '%$&'),
    hex.toUpperCase().replace(/../g, '%$&'),
    encodeURIComponent(text),
    [...text].reverse().join(''),
    [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    JSON.stringify(text).slice(1, -1),
  ].map((each) => Buffer.from(each, 'utf8'));
  const utf16 = Buffer.from(text, 'utf16le');
  const all = [utf8, utf16, Buffer.from(utf16).swap16(), ...written];
  return [...new Map(all.map((bytes) => [bytes.toString('latin1'), bytes])).values()];
}

function base64At(bytes: Buffer, offset: number): string[] {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const own = shifted
    .toString('base64')
    .slice(Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6));
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}

/** How often any encoding of `text` occurs. */
export function countOf(text: string, haystack: Buffer): number {
  let count = 0;
  for (const needle of encodingsOf(text)) {
    for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) count++;
  }
  return count;
}

/** The bytes, and after them whatever can be decompressed from any place in them. */
export function unpacked(bytes: Buffer): Buffer {
  const found = [bytes];
  for (let at = 0; at + 2 < bytes.length; at++) {
    const [a, b] = [bytes[at] as number, bytes[at + 1] as number];
    const isGzip = a === 0x1f && b === 0x8b;
    // RFC 1950, section 2.2: "deflate" with a window of 32 KiB and a header divisible by 31.
    const isZlib = a === 0x78 && ((a << 8) | b) % 31 === 0;
    if (isGzip || isZlib) found.push(...decompressed(bytes.subarray(at), isGzip));
  }
  return Buffer.concat(found);
}

function decompressed(bytes: Buffer, isGzip: boolean): Buffer[] {
  try {
    const options = { finishFlush: zlib.Z_SYNC_FLUSH };
    return [isGzip ? gunzipSync(bytes, options) : inflateSync(bytes, options)];
  } catch {
    return [];
  }
}

const HEX_RUN = /[0-9a-f]{16,}/gi;
const BASE64_RUN = /[A-Za-z0-9+/_-]{11,}/g;
const UNIT_BYTES = 2;

/**
 * The bytes, and after them what they hold in hex, base64, UTF-16 and backwards, so that one search for
 * plain text finds them all.
 */
export function decoded(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const found = [bytes, Buffer.from(bytes).reverse()];
  for (const [run] of text.matchAll(HEX_RUN))
    for (const from of [0, 1]) found.push(Buffer.from(run.slice(from), 'hex'));
  for (const [run] of text.matchAll(BASE64_RUN))
    for (const from of [0, 1, 2, 3]) found.push(Buffer.from(run.slice(from), 'base64'));
  for (const from of [0, 1])
    found.push(Buffer.from(bytes.filter((_, at) => at % UNIT_BYTES === from)));
  return Buffer.concat(found.flatMap((each) => [each, Buffer.of(0)]));
}

/** All files below a directory, with their names. */
export function bytesBelow(directory: string): Buffer {
  const parts = readdirSync(directory, { withFileTypes: true, recursive: true }).flatMap(
    (entry) => {
      const path = join(entry.parentPath, entry.name);
      return [Buffer.from(`${path}\n`), ...(entry.isFile() ? [readFileSync(path)] : [])];
    },
  );
  return Buffer.concat(parts);
}
