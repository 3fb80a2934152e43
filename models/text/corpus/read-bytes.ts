import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { TacetError } from '../../../proto/errors.js';
import { readFailure } from './system-error.js';

/** A clinical document is kilobytes; a file of this size is something else, and would fill memory. */
export const MAX_DOCUMENT_BYTES = 50_000_000;
const NEWLINE = 0x0a;

/** Reads a whole UTF-8 file, its byte order mark kept. Throws `file-not-found`, `file-unreadable`, `corpus-invalid`. */
export async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_DOCUMENT_BYTES) throw tooLarge(path);
    return decodeUtf8(await readFile(path), path);
  } catch (error) {
    throw readFailure(error, path);
  }
}

/** Decodes UTF-8; the error names `where` and the offset of the first wrong byte. */
export function decodeUtf8(bytes: Uint8Array, where: string): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (!isUtf8(bytes)) {
    const offset = Buffer.from(text).findIndex((byte, at) => byte !== bytes[at]);
    throw new TacetError(
      'corpus-invalid',
      `${where}: byte ${offset} is not UTF-8; expected UTF-8 text (convert it, e.g. with iconv)`,
    );
  }
  return text;
}

/** One line of a file, numbered from 1; `bytes` is absent where it is longer than a document may be. */
export interface Line {
  readonly number: number;
  readonly bytes?: Uint8Array;
}

/** The lines of a file of any size, in memory bounded by its longest allowed line. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const line = (): Line =>
    length > MAX_DOCUMENT_BYTES ? { number } : { number, bytes: Buffer.concat(parts) };
  const add = (part: Buffer) => {
    length += part.length;
    if (length > MAX_DOCUMENT_BYTES) parts = [];
    else parts.push(part);
  };
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      let from = 0;
      for (;;) {
        const newline = chunk.indexOf(NEWLINE, from);
        if (newline < 0) break;
        add(chunk.subarray(from, newline));
        yield line();
        number++;
        parts = [];
        length = 0;
        from = newline + 1;
      }
      add(chunk.subarray(from));
    }
  } catch (error) {
    throw readFailure(error, path);
  }
  if (length > 0) yield line();
}

export function tooLarge(where: string): TacetError {
  return new TacetError(
    'corpus-invalid',
    `${where}: the document is larger than ${MAX_DOCUMENT_BYTES / 1e6} MB; split it`,
  );
}
