import { jsonIn } from '../../proto/json-text.js';

const LENGTH_BYTES = 4;

/** What a file of numbers begins with: the length of a header of JSON (uint32, little-endian), and the header. */
export function headOf(header: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}

/** The header of such bytes, not yet checked, and what stands behind it; undefined where they do not begin so. */
export function splitHead(bytes: Buffer): { header: unknown; rest: Buffer } | undefined {
  if (bytes.length < LENGTH_BYTES) return undefined;
  const start = LENGTH_BYTES + bytes.readUInt32LE(0);
  if (start > bytes.length) return undefined;
  const header = jsonIn(bytes.subarray(LENGTH_BYTES, start));
  return header === undefined ? undefined : { header, rest: bytes.subarray(start) };
}
