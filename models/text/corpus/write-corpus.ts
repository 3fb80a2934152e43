import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TacetError } from '../../../proto/errors.js';
import type { Document } from '../document.js';
import type { CorpusFormat } from './format.js';
import { formatBrat, formatI2b2Xml, formatJsonl } from './format-document.js';
import { writeFailure } from './system-error.js';

export interface WriteCorpusOptions {
  readonly signal?: AbortSignal | undefined;
}

type Documents = AsyncIterable<Document> | Iterable<Document>;

/**
 * Writes documents as they come and returns their number: JSONL into the file `path`, the other
 * formats into the directory `path`, a file a document, named by its id. Nothing is overwritten.
 * Throws `file-exists`, `file-unreadable`, and `corpus-invalid` where an id cannot name a file.
 */
export async function writeCorpus(
  documents: Documents,
  path: string,
  format: CorpusFormat,
  { signal }: WriteCorpusOptions = {},
): Promise<number> {
  if (format === 'jsonl') return writeJsonl(documents, path, signal);
  await mkdir(path, { recursive: true }).catch((error) => {
    throw writeFailure(error, path);
  });
  let count = 0;
  for await (const document of documents) {
    signal?.throwIfAborted();
    await writeDocument(document, path, format);
    count++;
  }
  return count;
}

/** Writes one document into a directory. */
async function writeDocument(
  document: Document,
  directory: string,
  format: Exclude<CorpusFormat, 'jsonl'>,
): Promise<void> {
  const name = join(directory, fileName(document.id));
  if (format === 'i2b2') return writeNew(`${name}.xml`, formatI2b2Xml(document));
  await writeNew(`${name}.txt`, document.text);
  if (format === 'brat') await writeNew(`${name}.ann`, formatBrat(document));
}

async function writeJsonl(
  documents: Documents,
  path: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  let count = 0;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'wx');
    try {
      for await (const document of documents) {
        signal?.throwIfAborted();
        await file.write(`${formatJsonl(document)}\n`);
        count++;
      }
    } catch (error) {
      await rm(path);
      throw error;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeFailure(error, path);
  }
  return count;
}

async function writeNew(path: string, content: string): Promise<void> {
  try {
    await writeFile(path, content, { flag: 'wx' });
  } catch (error) {
    throw writeFailure(error, path);
  }
}

/** An id comes from a file that others wrote: it must not lead out of the directory. */
function fileName(id: string): string {
  if (/^[^/\\:\p{Cc}]{1,200}$/u.test(id) && !/^[.\s]|[.\s]$/.test(id)) return id;
  throw new TacetError(
    'corpus-invalid',
    'a document has an id that cannot name a file; expected 1 to 200 characters without ' +
      'slashes, colons, controls, or a dot at an end (or choose jsonl)',
  );
}
