import { isUtf8 } from 'node:buffer';
import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readFailure } from '../../../platform/system-error.js';
import { TacetError } from '../../../proto/errors.js';
import { isGzip, unpacked, unpackedStream } from './gzip.js';

/** A clinical document is kilobytes; one of this size is something else, and would fill memory. */
export const MAX_DOCUMENT_BYTES = 50_000_000;
/** Read at once: the trips to another thread and back would take longer. */
const FEW_BYTES = 2 ** 20;
const NEWLINE = 0x0a;
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** What a file begins with, unpacked where it is gzip. */
export interface FileStart {
  readonly head: Buffer;
  /** Of a small file all that it holds, as it lies there. */
  readonly whole?: Buffer | undefined;
}

/**
 * Reads a whole UTF-8 file, gzip or not, its byte order mark kept; `whole` is what was read of it before. Throws
 * `file-not-found`, `file-unreadable`, `corpus-invalid`.
 */
export async function readText(path: string, whole?: Buffer): Promise<string> {
  return decodeUtf8(await readBytes(path, whole), path);
}

/** Reads the bytes of a whole file, unpacked where it is gzip. Throws as `readText`. */
export async function readBytes(path: string, whole?: Buffer): Promise<Uint8Array> {
  try {
    const bytes = await unpacked(whole ?? (await readWhole(path)), MAX_DOCUMENT_BYTES, path);
    if (bytes === undefined) throw tooLarge(path);
    return bytes;
  } catch (error) {
    throw readFailure(error, path);
  }
}

async function readWhole(path: string): Promise<Buffer> {
  const { size } = statSync(path);
  if (size > MAX_DOCUMENT_BYTES) throw tooLarge(path);
  return size > FEW_BYTES ? await readFile(path) : readFileSync(path);
}

/**
 * The first bytes of a file, `count` or more unless there are fewer; of damaged gzip data what comes before the
 * damage. Throws `file-not-found` and `file-unreadable`.
 */
export async function readStart(path: string, count: number): Promise<FileStart> {
  const start = startOf(path, count);
  if (start && !isGzip(start.head)) return start;
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of readChunks(path)) {
      head = Buffer.concat([head, chunk]);
      if (head.length >= count) break;
    }
  } catch (error) {
    if (!(error instanceof TacetError) || error.code !== 'corpus-invalid') throw error;
  }
  return { head, whole: start?.whole };
}

/** As it lies there; undefined for what is no file, such as a pipe, which may let one wait. */
function startOf(path: string, count: number): FileStart | undefined {
  let file: number | undefined;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return undefined;
    if (stats.size <= FEW_BYTES) {
      const whole = readFileSync(path);
      return { head: whole.subarray(0, count), whole };
    }
    file = openSync(path, 'r');
    const head = Buffer.alloc(count);
    return { head: head.subarray(0, readSync(file, head)) };
  } catch (error) {
    throw readFailure(error, path);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The bytes of a file of any size, unpacked where it is gzip. */
export async function* readChunks(path: string): AsyncGenerator<Buffer> {
  try {
    yield* unpackedStream(createReadStream(path), path);
  } catch (error) {
    throw readFailure(error, path);
  }
}

/** Decodes UTF-8; the error names `where` and the offset of the first wrong byte. */
export function decodeUtf8(bytes: Uint8Array, where: string): string {
  const text = UTF8.decode(bytes);
  if (!isUtf8(bytes)) {
    const offset = Buffer.from(text).findIndex((byte, at) => byte !== bytes[at]);
    throw new TacetError(
      'corpus-invalid',
      `${where}: byte ${offset} is not UTF-8; expected UTF-8 text (convert it, e.g. with iconv)`,
    );
  }
  return text;
}

/** One line, numbered from 1; `bytes` is absent where it is longer than a document may be. */
export interface Line {
  readonly number: number;
  readonly bytes?: Uint8Array;
}

/** The lines of a stream of any size, in memory bounded by the longest line that is allowed. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline < 0 ? chunk.length : newline;
      const fitted = length <= MAX_DOCUMENT_BYTES;
      length += to - from;
      if (length <= MAX_DOCUMENT_BYTES) parts.push(chunk.subarray(from, to));
      else if (fitted) {
        parts = [];
        yield { number };
      }
      from = to + 1;
      if (newline < 0) break;
      if (length <= MAX_DOCUMENT_BYTES) yield { number, bytes: Buffer.concat(parts) };
      number++;
      parts = [];
      length = 0;
    }
  }
  if (length > 0 && length <= MAX_DOCUMENT_BYTES) yield { number, bytes: Buffer.concat(parts) };
}

/** Whether a line or file holds nothing but white space of ASCII. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

export function tooLarge(where: string): TacetError {
  return new TacetError(
    'corpus-invalid',
    `${where}: the document is larger than ${MAX_DOCUMENT_BYTES / 1e6} MB; split it`,
  );
}
