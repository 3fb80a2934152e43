import type { Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { CorpusFormat } from './format.js';
import { readFailure } from './system-error.js';

/** A file of a corpus; brat's is the `.txt`, with the path of its `.ann`. */
export interface CorpusFile {
  readonly path: string;
  /** The file's name without extension. */
  readonly name: string;
  readonly format: CorpusFormat;
  readonly annotations?: string;
}

const EXTENSIONS: Readonly<Record<string, CorpusFormat>> = {
  '.xml': 'i2b2',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.txt': 'text',
  '.ann': 'brat',
};
/** Enough to tell the formats apart. */
const HEAD_BYTES = 1024;

/**
 * The documents' files under a path, in order of their names: the file itself, or all of a directory
 * and its subdirectories. A directory that holds one corpus as both `xml` and `brat` gives one of
 * them, `xml` unless brat is asked for. Files with other extensions and hidden ones are not read.
 */
export async function* corpusFiles(
  path: string,
  format?: CorpusFormat,
): AsyncGenerator<CorpusFile> {
  try {
    if ((await stat(path)).isDirectory()) yield* filesBelow(path, format, new Set());
    else yield await corpusFile(path, format ?? (await detectFormat(path)));
  } catch (error) {
    throw readFailure(error, path);
  }
}

async function* filesBelow(
  directory: string,
  format: CorpusFormat | undefined,
  ancestors: ReadonlySet<string>,
): AsyncGenerator<CorpusFile> {
  const real = await realpath(directory);
  if (ancestors.has(real)) return;
  const entries = await visibleEntries(directory);
  const names = new Set(entries.map((entry) => entry.name));
  const duplicate = format === 'brat' ? 'xml' : 'brat';
  for (const entry of entries) {
    const path = join(directory, entry.name);
    const isDirectory = entry.isSymbolicLink()
      ? (await stat(path)).isDirectory()
      : entry.isDirectory();
    if (!isDirectory) yield* fileAmong(path, names, format);
    else if (!(entry.name === duplicate && names.has('xml') && names.has('brat')))
      yield* filesBelow(path, format, new Set([...ancestors, real]));
  }
}

/** Compared by code unit, so that the order is the same on every machine. */
async function visibleEntries(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function* fileAmong(
  path: string,
  siblings: ReadonlySet<string>,
  wanted: CorpusFormat | undefined,
): Generator<CorpusFile> {
  const name = basename(path, extname(path));
  const found = EXTENSIONS[extname(path).toLowerCase()];
  const paired = siblings.has(`${name}.txt`) && siblings.has(`${name}.ann`);
  if (found === undefined) return;
  if (found === 'brat' && (paired || (wanted !== undefined && wanted !== 'brat'))) return;
  const annotated = found === 'text' && paired && wanted !== 'text';
  const format = annotated ? 'brat' : found;
  if (wanted !== undefined && wanted !== format && !(wanted === 'brat' && format === 'text'))
    return;
  yield {
    path: found === 'brat' ? `${path.slice(0, -extname(path).length)}.txt` : path,
    name,
    format,
    ...(format === 'brat' ? { annotations: annotationsOf(path) } : {}),
  };
}

async function corpusFile(path: string, format: CorpusFormat): Promise<CorpusFile> {
  const name = basename(path, extname(path));
  if (format !== 'brat') return { path, name, format };
  const text = extname(path) === '.ann' ? `${path.slice(0, -4)}.txt` : path;
  return { path: text, name, format, annotations: annotationsOf(path) };
}

function annotationsOf(path: string): string {
  return `${path.slice(0, -extname(path).length)}.ann`;
}

/** By content; text with a `.ann` file beside it is brat. */
async function detectFormat(path: string): Promise<CorpusFormat> {
  if (extname(path) === '.ann') return 'brat';
  const head = (await readHead(path)).replace(/^\ufeff/, '').trimStart();
  if (/^<(\?xml|!DOCTYPE|!--|[A-Za-z_])/.test(head)) return 'i2b2';
  if (/^\{\s*"/.test(head)) return 'jsonl';
  const isAnnotated = await stat(annotationsOf(path)).then(
    (stats) => stats.isFile(),
    () => false,
  );
  return isAnnotated && extname(path) === '.txt' ? 'brat' : 'text';
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
