import { inflateSync } from 'node:zlib';
import { TacetError } from '../../proto/errors.js';

const SIGNATURE = 'wOFF';
const WOFF_HEADER_BYTES = 44;
const WOFF_ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

/**
 * The TrueType or OpenType font in a WOFF 1.0 file (W3C Recommendation of 2012, sections 3 to 5):
 * the same tables, each inflated where it is shorter in the file than in the font.
 */
export function fontOfWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== SIGNATURE)
    throw new TacetError('file-unreadable', 'the font is no WOFF 1.0 file');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, i) => {
    const at = WOFF_HEADER_BYTES + i * WOFF_ENTRY_BYTES;
    const offset = woff.readUInt32BE(at + 4);
    const bytes = woff.subarray(offset, offset + woff.readUInt32BE(at + 8));
    const length = woff.readUInt32BE(at + 12);
    const data = bytes.length < length ? inflateSync(bytes) : bytes;
    return { tag: woff.subarray(at, at + 4), checksum: woff.readUInt32BE(at + 16), data };
  });
  const headers = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES);
  woff.copy(headers, 0, 4, 8);
  writeSearchFields(headers, count);
  const parts: Buffer[] = [headers];
  let offset = headers.length;
  tables.forEach(({ tag, checksum, data }, i) => {
    const at = SFNT_HEADER_BYTES + i * SFNT_ENTRY_BYTES;
    tag.copy(headers, at);
    headers.writeUInt32BE(checksum, at + 4);
    headers.writeUInt32BE(offset, at + 8);
    headers.writeUInt32BE(data.length, at + 12);
    const padding = Buffer.alloc(-data.length & 3);
    parts.push(data, padding);
    offset += data.length + padding.length;
  });
  return Buffer.concat(parts);
}

/** The fields of an sfnt header that speed up a binary search among its tables. */
function writeSearchFields(headers: Buffer, count: number): void {
  const power = Math.floor(Math.log2(count));
  const range = 16 * 2 ** power;
  headers.writeUInt16BE(count, 4);
  headers.writeUInt16BE(range, 6);
  headers.writeUInt16BE(power, 8);
  headers.writeUInt16BE(16 * count - range, 10);
}
