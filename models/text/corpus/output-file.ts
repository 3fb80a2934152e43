import { once } from 'node:events';
import { type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { writeFailure } from '../../../platform/system-error.js';
import { namesGzip } from './gzip.js';

const zip = promisify(gzip);

/** Notes, also those of which PHI was taken out, which may hold some still, are their owner's alone. */
const MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Makes a folder for notes, whose names may tell of whom they are, where there is none. Throws `file-unwritable`. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE }).catch((error) => {
    throw writeFailure(error, path);
  });
}

/** Writes a new file for its owner alone, compressed where its name ends in `.gz`. Throws `file-exists`, `file-unwritable`. */
export async function writeNew(path: string, content: string): Promise<void> {
  try {
    const bytes = namesGzip(path) ? await zip(content) : content;
    await writeFile(path, bytes, { flag: 'wx', mode: MODE });
  } catch (error) {
    throw writeFailure(error, path);
  }
}

/**
 * Writes a new file for its owner alone, part by part, compressed where its name ends in `.gz`, and returns the number of
 * parts. Where the source fails nothing is left behind. Throws `file-exists`, `file-unwritable` and
 * what the source throws.
 */
export async function writeParts(path: string, parts: AsyncIterable<string>): Promise<number> {
  try {
    await makeFolder(dirname(path));
    const file = await open(path, 'wx', MODE);
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
