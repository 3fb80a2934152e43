import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { requireRegularFile } from '../../../platform/files/regular-file.js';
import { readFailure } from '../../../platform/system-error.js';
import { TacetError } from '../../../proto/errors.js';
import {
  formatOfContent,
  formatOfExtension,
  HEAD_CHARACTERS,
  isTypeSystem,
} from './detect-format.js';
import type { CorpusFormat } from './format.js';
import { namesGzip } from './gzip.js';
import { type FileStart, readStart } from './read-bytes.js';

/** A file of a corpus; brat's is the `.txt`, with the path of its `.ann`. */
export interface CorpusFile {
  readonly path: string;
  /** The file's name without extensions. */
  readonly name: string;
  readonly format: CorpusFormat;
  readonly annotations?: string;
  /** All that a small file holds, where its format was told by what it holds. */
  readonly whole?: Buffer | undefined;
}

/** Told of a file or subdirectory of a corpus that cannot be read. */
export type OnUnreadable = (error: TacetError, path: string) => void;

/** The extension of the other half of a brat document, in every mix of cases, lower case first. */
const OTHER_HALVES: Readonly<Record<string, readonly string[]>> = {
  '.txt': inAllCases('.ann'),
  '.ann': inAllCases('.txt'),
};
const GZIP_EXTENSIONS: readonly string[] = inAllCases('.gz');

/**
 * The documents' files under a path, in order of their names: the file itself, or all of a directory
 * and its subdirectories, as they are or with `.gz` behind their names. A directory that holds one
 * corpus as both `xml` and `brat` gives one of them, `xml` unless brat is asked for. Files with other
 * extensions and hidden ones are not read; a pipe, a socket or a device cannot be. What cannot be read below `path` ends it, unless `onUnreadable` is told.
 */
export async function* corpusFiles(
  path: string,
  format?: CorpusFormat,
  onUnreadable?: OnUnreadable,
): AsyncGenerator<CorpusFile> {
  try {
    if ((await stat(path)).isDirectory())
      yield* filesBelow(path, { format, onUnreadable }, new Set());
    else yield await fileAt(path, format, await annotationsBeside(path));
  } catch (error) {
    throw readFailure(error, path);
  }
}

/** Whether a file of that name is looked at where its directory is read. */
export function namesDocuments(name: string): boolean {
  return formatOfExtension(nameOf(name).extension) !== undefined;
}

interface Search {
  readonly format: CorpusFormat | undefined;
  readonly onUnreadable: OnUnreadable | undefined;
}

async function* filesBelow(
  directory: string,
  search: Search,
  ancestors: ReadonlySet<string>,
): AsyncGenerator<CorpusFile> {
  const real = await realpath(directory);
  if (ancestors.has(real)) return;
  const entries = await visibleEntries(directory);
  const names = new Map(entries.map((entry) => [entry.name, entry]));
  const duplicate = search.format === 'brat' ? 'xml' : 'brat';
  for (const entry of entries) {
    const path = join(directory, entry.name);
    try {
      if (!(await isDirectory(entry, path))) yield* filesAmong(path, entry, names, search.format);
      else if (!(entry.name === duplicate && names.has('xml') && names.has('brat')))
        yield* filesBelow(path, search, new Set([...ancestors, real]));
    } catch (error) {
      const failure = readFailure(error, path);
      if (!search.onUnreadable || !(failure instanceof TacetError)) throw failure;
      search.onUnreadable(failure, path);
    }
  }
}

/** A link that leads nowhere is a file that cannot be read. */
async function isDirectory(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Compared by code unit, so that the order is the same on every machine. */
async function visibleEntries(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The file at a path of a directory, where it is one of a corpus and of the wanted format. */
async function* filesAmong(
  path: string,
  entry: Dirent,
  siblings: ReadonlyMap<string, Dirent>,
  wanted: CorpusFormat | undefined,
): AsyncGenerator<CorpusFile> {
  if (!namesDocuments(path)) return;
  const { extension } = nameOf(path);
  const half = partnersOf(path).flatMap((name) => siblings.get(name) ?? [])[0];
  if (extension === '.ann' && half) return;
  if (!entry.isFile()) await requireRegularFile(path);
  const start = extension === '.xml' ? await startOf(path) : undefined;
  if (start && isTypeSystem(textOf(start))) return;
  const asText = extension === '.txt' && wanted === 'text';
  const partner = half && !asText ? join(dirname(path), half.name) : undefined;
  if (partner !== undefined && !half?.isFile()) await requireRegularFile(partner);
  const file = await fileAt(path, asText ? 'text' : undefined, partner, start);
  if (wanted === undefined || fits(file.format, wanted)) yield file;
}

/** Formats that the reader of another reads. */
const READ_AS: Partial<Record<CorpusFormat, CorpusFormat>> = { tsv: 'conll', doccano: 'jsonl' };

/** A text without annotations is a brat document, too. */
function fits(found: CorpusFormat, wanted: CorpusFormat): boolean {
  const readAs = (format: CorpusFormat) => READ_AS[format] ?? format;
  return readAs(found) === readAs(wanted) || (wanted === 'brat' && found === 'text');
}

async function fileAt(
  path: string,
  format: CorpusFormat | undefined,
  annotations: string | undefined,
  start?: FileStart,
): Promise<CorpusFile> {
  const { name, extension } = nameOf(path);
  if (extension === '.ann') {
    const text = annotations ?? missingHalf(path, '.txt');
    return { path: text, name, format: 'brat', annotations: path };
  }
  if (format === 'brat' || (format === undefined && annotations !== undefined))
    return {
      path,
      name,
      format: 'brat',
      annotations: annotations ?? missingHalf(path, '.ann'),
    };
  if (format !== undefined) return { path, name, format };
  const byName = formatOfExtension(extension);
  if (byName === 'jsonl' || byName === 'xmi') return { path, name, format: byName };
  const found = start ?? (await startOf(path));
  const isCut = found.head.length >= HEAD_CHARACTERS;
  const detected = formatOfContent(textOf(found), isCut) ?? byName ?? 'text';
  return { path, name, format: detected, whole: found.whole };
}

/** What arrays of JSON are told apart by: the keys of a first element, of which a note may be one. */
const ARRAY_HEAD_BYTES = 2 ** 20;

/** What the formats are told apart by; the document's own reader says what is wrong with the rest. */
async function startOf(path: string): Promise<FileStart> {
  const start = await readStart(path, HEAD_CHARACTERS);
  return isArray(start) ? readStart(path, ARRAY_HEAD_BYTES) : start;
}

function textOf(start: FileStart): string {
  const { head } = start;
  return head.toString('utf8', 0, isArray(start) ? ARRAY_HEAD_BYTES : HEAD_CHARACTERS);
}

function isArray({ head }: FileStart): boolean {
  return /^\s*\[\s*\{/.test(head.toString('utf8', 0, HEAD_CHARACTERS));
}

function nameOf(path: string): { name: string; extension: string } {
  const plain = namesGzip(path) ? path.slice(0, -'.gz'.length) : path;
  const extension = extname(plain);
  return { name: basename(plain, extension), extension: extension.toLowerCase() };
}

/** What the other half of a brat document may be called: `.ann` beside `.txt`, in any case, either of them `.gz`. */
function partnersOf(path: string): string[] {
  const { name, extension } = nameOf(path);
  const plain = (OTHER_HALVES[extension] ?? []).map((other) => name + other);
  const packed = plain.flatMap((other) => GZIP_EXTENSIONS.map((gzip) => other + gzip));
  return namesGzip(path) ? [...packed, ...plain] : [...plain, ...packed];
}

/** Where one looks for the half that is not there. */
function missingHalf(path: string, extension: string): string {
  const { name } = nameOf(path);
  return join(dirname(path), name + extension + (namesGzip(path) ? '.gz' : ''));
}

async function annotationsBeside(path: string): Promise<string | undefined> {
  for (const name of partnersOf(path)) {
    const partner = join(dirname(path), name);
    const isFile = await stat(partner).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile) return partner;
  }
  return undefined;
}

function inAllCases(word: string): string[] {
  const cases = (letter: string) => [...new Set([letter, letter.toUpperCase()])];
  return [...word].reduce<string[]>(
    (begun, letter) => begun.flatMap((start) => cases(letter).map((each) => start + each)),
    [''],
  );
}
