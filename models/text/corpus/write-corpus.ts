import { join } from 'node:path';
import { isThere } from '../../../platform/files/is-there.js';
import { TacetError } from '../../../proto/errors.js';
import type { Document } from '../document.js';
import { loneSurrogate } from './code-points.js';
import { fileName } from './document-files.js';
import type { WrittenFormat } from './format.js';
import { BIOC_JSON_FRAME, BIOC_XML_FRAME, formatBiocJson, formatBiocXml } from './format-bioc.js';
import { formatCasJson, formatCasXmi, TYPE_SYSTEM, TYPE_SYSTEM_FILE } from './format-cas.js';
import { formatConll, type TagScheme } from './format-conll.js';
import { formatBrat, formatI2b2Xml, formatJsonl } from './format-document.js';
import { formatDoccano, formatTask } from './format-label-studio.js';
import { formatWebanno } from './format-webanno.js';
import { makeFolder, writeNew, writeParts } from './output-file.js';
import type { Remarks } from './remarks.js';
import { requireXmlCharacters } from './xml-text.js';

export interface WriteCorpusOptions {
  /** How CoNLL and TSV tag spans; IOB2 where absent. */
  readonly tags?: TagScheme | undefined;
  /** Compress the files of a directory; a single file is compressed where its name ends in `.gz`. */
  readonly gzip?: boolean | undefined;
  /** Number of the first document, by which errors tell it; 1 where absent. */
  readonly first?: number | undefined;
  /** Told what the format could not hold. */
  readonly remarks?: Remarks | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Documents = AsyncIterable<Document> | Iterable<Document>;

/** One file holds all documents; the other formats take a directory, a file a document. */
const FILE_FORMATS = [
  'conll',
  'tsv',
  'jsonl',
  'doccano',
  'label-studio',
  'label-studio-predictions',
  'bioc',
  'bioc-json',
] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

/** What stands before, between and behind the documents of a single file. */
export interface FileFrame {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
}

const NO_FRAME: FileFrame = { head: '', between: '', tail: '' };
const ARRAY_FRAME: FileFrame = { head: '[\n', between: ',\n', tail: '\n]\n' };
const FRAMES: Partial<Record<FileFormat, FileFrame>> = {
  'label-studio': ARRAY_FRAME,
  'label-studio-predictions': ARRAY_FRAME,
  bioc: BIOC_XML_FRAME,
  'bioc-json': BIOC_JSON_FRAME,
};

export function frameOf(format: FileFormat): FileFrame {
  return FRAMES[format] ?? NO_FRAME;
}

/**
 * Writes documents as they come and returns their number: CoNLL, TSV, JSONL, doccano's, Label Studio's
 * and BioC into the file `path`, the other formats into the directory `path`, a file a document, named by its id. Nothing is
 * overwritten. Throws `file-exists`, `file-unwritable`, and `corpus-invalid` where an id cannot name
 * a file or stand in a column, and where a format cannot hold a character.
 */
export async function writeCorpus(
  documents: Documents,
  path: string,
  format: WrittenFormat,
  options: WriteCorpusOptions = {},
): Promise<number> {
  if (isFileFormat(format)) return writeFile(documents, path, format, options);
  await makeFolder(path);
  const { first = 1, signal } = options;
  let count = 0;
  for await (const document of documents) {
    signal?.throwIfAborted();
    requireWritable(document, format, first + count++);
    await writeDocument(document, path, format, options);
  }
  return count;
}

async function writeFile(
  documents: Documents,
  path: string,
  format: FileFormat,
  options: WriteCorpusOptions,
): Promise<number> {
  const { head, between, tail } = frameOf(format);
  let count = 0;
  async function* framed() {
    for await (const part of partsOf(documents, format, options))
      yield `${count++ === 0 ? head : between}${part}`;
    if (count === 0) yield head;
    yield tail;
  }
  await writeParts(path, framed());
  return count;
}

export function isFileFormat(format: WrittenFormat): format is FileFormat {
  return FILE_FORMATS.some((known) => known === format);
}

/** What a single file holds of the documents. */
export async function* partsOf(
  documents: Documents,
  format: FileFormat,
  { tags, remarks, first = 1, signal }: WriteCorpusOptions,
): AsyncGenerator<string> {
  let number = first;
  for await (const document of documents) {
    signal?.throwIfAborted();
    requireWritable(document, format, number++);
    if (format === 'conll' || format === 'tsv') {
      const separator = format === 'tsv' ? '\t' : ' ';
      const columns = formatConll(document, { tags, separator });
      remarks?.add(columns.remarks);
      yield columns.text;
    } else yield FORMATTERS[format](document);
  }
}

/** Writers of formats that hold every document whole. */
const FORMATTERS: Readonly<
  Record<Exclude<FileFormat, 'conll' | 'tsv'>, (document: Document) => string>
> = {
  jsonl: (document) => `${formatJsonl(document)}\n`,
  doccano: (document) => `${formatDoccano(document)}\n`,
  'label-studio': (document) => formatTask(document, 'annotations'),
  'label-studio-predictions': (document) => formatTask(document, 'predictions'),
  bioc: formatBiocXml,
  'bioc-json': formatBiocJson,
};

const XML: readonly WrittenFormat[] = ['i2b2', 'xmi', 'bioc'];

/**
 * UTF-8 has no form for half of a surrogate pair, and would silently hold another character. The document is told by its
 * number, from 1: its id may be the name of a patient.
 */
function requireWritable({ id, text }: Document, format: WrittenFormat, number: number): void {
  if (format === 'bioc') requireXmlCharacters(id, `document ${number}: its id`);
  const offset = loneSurrogate(text);
  if (offset < 0) {
    if (XML.includes(format)) requireXmlCharacters(text, `document ${number}`);
    return;
  }
  throw new TacetError(
    'corpus-invalid',
    `document ${number}: half of a surrogate pair at offset ${offset} cannot be written; ` +
      'remove it or write the whole character',
  );
}

/** Writes one document into a directory; beside XMI also the types of all that is written. */
async function writeDocument(
  document: Document,
  directory: string,
  format: Exclude<WrittenFormat, FileFormat>,
  { gzip, remarks }: WriteCorpusOptions,
): Promise<void> {
  const suffix = gzip === true ? '.gz' : '';
  const name = join(directory, fileName(document.id));
  if (format === 'i2b2') return writeNew(`${name}.xml${suffix}`, formatI2b2Xml(document));
  if (format === 'cas-json') return writeNew(`${name}.json${suffix}`, formatCasJson(document));
  if (format === 'xmi') {
    await writeNew(`${name}.xmi${suffix}`, formatCasXmi(document));
    return writeShared(join(directory, TYPE_SYSTEM_FILE), TYPE_SYSTEM);
  }
  if (format === 'webanno') {
    const { text, remarks: lost } = formatWebanno(document);
    remarks?.add(lost);
    return writeNew(`${name}.tsv${suffix}`, text);
  }
  await writeNew(`${name}.txt${suffix}`, document.text);
  if (format === 'brat') await writeNew(`${name}.ann${suffix}`, formatBrat(document));
}

/** Writes what every document of a directory needs, unless it is there. */
async function writeShared(path: string, content: string): Promise<void> {
  if (!(await isThere(path))) await writeNew(path, content);
}
