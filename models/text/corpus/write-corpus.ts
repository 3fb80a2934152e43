import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFailure } from '../../../platform/system-error.js';
import { TacetError } from '../../../proto/errors.js';
import type { Document } from '../document.js';
import { loneSurrogate } from './code-points.js';
import type { WrittenFormat } from './format.js';
import { formatConll, type TagScheme } from './format-conll.js';
import { formatBrat, formatI2b2Xml, formatJsonl } from './format-document.js';
import { writeNew, writeParts } from './output-file.js';
import type { Remarks } from './remarks.js';

export interface WriteCorpusOptions {
  /** How CoNLL and TSV tag spans; IOB2 where absent. */
  readonly tags?: TagScheme | undefined;
  /** Compress the files of a directory; a single file is compressed where its name ends in `.gz`. */
  readonly gzip?: boolean | undefined;
  /** Told what the format could not hold. */
  readonly remarks?: Remarks | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Documents = AsyncIterable<Document> | Iterable<Document>;

/** One file holds all documents; the other formats take a directory, a file a document. */
const FILE_FORMATS = ['conll', 'tsv', 'jsonl'] as const;

type FileFormat = (typeof FILE_FORMATS)[number];

/**
 * Writes documents as they come and returns their number: CoNLL, TSV and JSONL into the file `path`,
 * the other formats into the directory `path`, a file a document, named by its id. Nothing is
 * overwritten. Throws `file-exists`, `file-unwritable`, and `corpus-invalid` where an id cannot name
 * a file or stand in a column, and where a format cannot hold a character.
 */
export async function writeCorpus(
  documents: Documents,
  path: string,
  format: WrittenFormat,
  options: WriteCorpusOptions = {},
): Promise<number> {
  if (isFileFormat(format)) return writeParts(path, partsOf(documents, format, options));
  await mkdir(path, { recursive: true }).catch((error) => {
    throw writeFailure(error, path);
  });
  let count = 0;
  for await (const document of documents) {
    options.signal?.throwIfAborted();
    requireWholeCharacters(document);
    await writeDocument(document, path, format, options.gzip === true ? '.gz' : '');
    count++;
  }
  return count;
}

export function isFileFormat(format: WrittenFormat): format is FileFormat {
  return FILE_FORMATS.some((known) => known === format);
}

/** What a single file holds of the documents. */
export async function* partsOf(
  documents: Documents,
  format: FileFormat,
  { tags, remarks, signal }: WriteCorpusOptions,
): AsyncGenerator<string> {
  for await (const document of documents) {
    signal?.throwIfAborted();
    requireWholeCharacters(document);
    if (format === 'jsonl') yield `${formatJsonl(document)}\n`;
    else {
      const separator = format === 'tsv' ? '\t' : ' ';
      const columns = formatConll(document, { tags, separator });
      remarks?.add(columns.remarks);
      yield columns.text;
    }
  }
}

/** UTF-8 has no form for half of a surrogate pair, and would silently hold another character. */
function requireWholeCharacters({ id, text }: Document): void {
  const offset = loneSurrogate(text);
  if (offset < 0) return;
  throw new TacetError(
    'corpus-invalid',
    `document ${id}: half of a surrogate pair at offset ${offset} cannot be written; ` +
      'remove it or write the whole character',
  );
}

/** Writes one document into a directory. */
async function writeDocument(
  document: Document,
  directory: string,
  format: Exclude<WrittenFormat, FileFormat>,
  suffix: string,
): Promise<void> {
  const name = join(directory, fileName(document.id));
  if (format === 'i2b2') return writeNew(`${name}.xml${suffix}`, formatI2b2Xml(document));
  await writeNew(`${name}.txt${suffix}`, document.text);
  if (format === 'brat') await writeNew(`${name}.ann${suffix}`, formatBrat(document));
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
