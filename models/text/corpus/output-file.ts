import { once } from 'node:events';
import { type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { writeFailure } from '../../../platform/system-error.js';
import { namesGzip } from './gzip.js';

const zip = promisify(gzip);

/** Writes a new file, compressed where its name ends in `.gz`. Throws `file-exists`, `file-unwritable`. */
export async function writeNew(path: string, content: string): Promise<void> {
  try {
    await writeFile(path, namesGzip(path) ? await zip(content) : content, { flag: 'wx' });
  } catch (error) {
    throw writeFailure(error, path);
  }
}

/**
 * Writes a new file part by part, compressed where its name ends in `.gz`, and returns the number of
 * parts. Where the source fails nothing is left behind. Throws `file-exists`, `file-unwritable` and
 * what the source throws.
 */
export async function writeParts(path: string, parts: AsyncIterable<string>): Promise<number> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'wx');
    try {
      return await (namesGzip(path) ? writeZipped(file, parts) : writePlain(file, parts));
    } catch (error) {
      await rm(path);
      throw error;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeFailure(error, path);
  }
}

async function writePlain(file: FileHandle, parts: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const part of parts) {
    await file.write(part);
    count++;
  }
  return count;
}

async function writeZipped(file: FileHandle, parts: AsyncIterable<string>): Promise<number> {
  const stream = createGzip();
  const written = (async () => {
    for await (const chunk of stream as AsyncIterable<Buffer>) await file.write(chunk);
  })();
  let count = 0;
  try {
    for await (const part of parts) {
      if (!stream.write(part)) await Promise.race([once(stream, 'drain'), written]);
      count++;
    }
    stream.end();
  } catch (error) {
    stream.destroy();
    await written.catch(() => undefined);
    throw error;
  }
  await written;
  return count;
}
