import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { DraftFile } from '../../../platform/files/draft-file.js';
import { isThere } from '../../../platform/files/is-there.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { writeFailure } from '../../../platform/system-error.js';
import { TacetError } from '../../../proto/errors.js';
import { namesGzip } from './gzip.js';

const zip = promisify(gzip);

/** Notes, also those of which PHI was taken out, which may hold some still, are their owner's alone. */
const MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Makes a folder for notes, whose names may tell of whom they are, where there is none. Throws `file-unwritable`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    makeFolders(path, FOLDER_MODE);
  } catch (error) {
    throw writeFailure(error, path);
  }
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
 * parts. It is there as a whole or not at all: where the source fails nothing is left behind, where the process is killed
 * a file under another name. Throws `file-exists`, `file-unwritable` and what the source throws.
 */
export async function writeParts(path: string, parts: AsyncIterable<string>): Promise<number> {
  await makeFolder(dirname(path));
  await requireFree(path);
  const file = await DraftFile.create(path, { isPrivate: true });
  try {
    const count = await (namesGzip(path) ? writeZipped(file, parts) : writePlain(file, parts));
    await requireFree(path);
    await file.commit();
    return count;
  } finally {
    // What is in the way of that was in the way before.
    await file.discard().catch(() => {});
  }
}

/** Throws `file-exists` where something is there. */
export async function requireFree(path: string): Promise<void> {
  if (!(await isThere(path))) return;
  throw new TacetError('file-exists', `${path}: exists already; choose another place`);
}

async function writePlain(file: DraftFile, parts: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const part of parts) {
    await file.write(part);
    count++;
  }
  return count;
}

async function writeZipped(file: DraftFile, parts: AsyncIterable<string>): Promise<number> {
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
