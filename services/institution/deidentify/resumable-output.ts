/**
 * A corpus that is written document by document and can be gone on with after any end, a kill among them.
 *
 * Until it is whole, `OUT.unfinished` beside it holds what it is made with and a journal. Files of a
 * directory come into it by renaming, so none is ever half there; a single file grows in that folder
 * and is put in its place when it is whole. A document counts as done once the journal says so. A lock
 * in that folder, which goes with its process, keeps a second writer out.
 */
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WrittenFormat } from '../../../models/text/corpus/format.js';
import { TYPE_SYSTEM_FILE } from '../../../models/text/corpus/format-cas.js';
import { namesGzip } from '../../../models/text/corpus/gzip.js';
import { makeFolder, requireFree, writeParts } from '../../../models/text/corpus/output-file.js';
import {
  type FileFormat,
  frameOf,
  isFileFormat,
  partsOf,
  writeCorpus,
} from '../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { syncDirectory, syncFile, writeDurably } from '../../../platform/files/durable-file.js';
import { lockFolder } from '../../../platform/files/folder-lock.js';
import { isThere } from '../../../platform/files/is-there.js';
import { writeFailure } from '../../../platform/system-error.js';
import { sha256Hex } from '../../../proto/digest.js';
import { TacetError } from '../../../proto/errors.js';
import { OutputJournal } from './output-journal.js';

/** What must be the same for the rest to belong to the first part; none of it a text. */
export type OutputSettings = Readonly<Record<string, string | number | boolean | null>>;

const PRIVATE = 0o600;
const LOCK = 'output.lock';

export class ResumableOutput {
  /** Ids that came in this process. */
  readonly #met = new Set<string>();
  /** Number of the document at hand, from 1. */
  #asked = 0;

  private constructor(
    private readonly path: string,
    private readonly format: WrittenFormat,
    private readonly journal: OutputJournal,
    private end: number,
    private readonly unlock: () => void,
  ) {}

  /**
   * Begins anew, or goes on where `resume`. Throws `file-exists` where something is in the way,
   * `file-not-found` where there is nothing to go on with, `conflict` for other settings, and `run-busy`
   * where another process still writes it.
   */
  static async open(
    path: string,
    format: WrittenFormat,
    settings: OutputSettings,
    resume: boolean,
  ): Promise<ResumableOutput> {
    const folder = folderOf(path);
    let unlock: (() => void) | undefined;
    try {
      if (!isFileFormat(format)) await requireNoFile(path);
      if (!resume) await begin(path, format, settings);
      const stated = await readFile(settingsOf(folder), 'utf8').catch(() => {
        throw new TacetError(
          'file-not-found',
          `${folder}: there is no interrupted output of ${path} to go on with; leave --resume out`,
        );
      });
      unlock = lockFolder(folder, LOCK);
      requireSame(path, JSON.parse(stated) as OutputSettings, settings);
      const { journal, end } = await OutputJournal.open(folder);
      if (isFileFormat(format)) await cutOff(join(folder, 'draft'), end);
      return new ResumableOutput(path, format, journal, end, unlock);
    } catch (error) {
      unlock?.();
      throw writeFailure(error, path);
    }
  }

  /** Whether an earlier process wrote the document. Throws `file-exists` for an id that came before. */
  isDone(id: string): boolean {
    this.#asked++;
    const hash = sha256Hex(id);
    if (this.#met.has(hash) && !isFileFormat(this.format))
      throw new TacetError(
        'file-exists',
        `${this.path}: two documents have one id, which names their files; give each an id of its own`,
      );
    this.#met.add(hash);
    return this.journal.meet(hash);
  }

  async write(document: Document): Promise<void> {
    try {
      await (isFileFormat(this.format)
        ? this.#append(document, this.format)
        : this.#place(document));
    } catch (error) {
      throw writeFailure(error, this.path);
    }
  }

  /** Puts what is whole in its place and takes the folder away. */
  async finish(): Promise<void> {
    const folder = folderOf(this.path);
    try {
      await this.journal.close();
      if (isFileFormat(this.format)) {
        await requireFree(this.path);
        await this.#close(this.format);
        await rename(await wholeFile(folder, this.path), this.path);
      }
      await syncDirectory(dirname(this.path));
      await rm(folder, { recursive: true });
      this.unlock();
    } catch (error) {
      throw writeFailure(error, this.path);
    }
  }

  /** Closes what could not be finished; takes it away where nothing was written. Returns whether any was. */
  async abandon(): Promise<boolean> {
    try {
      await this.journal.close();
      if (!this.journal.isEmpty) return true;
      await rm(folderOf(this.path), { recursive: true, force: true });
      if (!isFileFormat(this.format)) await rmdir(this.path).catch(() => {});
      return false;
    } finally {
      this.unlock();
    }
  }

  async #append(document: Document, format: FileFormat): Promise<void> {
    const draft = await open(join(folderOf(this.path), 'draft'), 'a', PRIVATE);
    const { head, between } = frameOf(format);
    try {
      await draft.writeFile(this.end === 0 ? head : between);
      for await (const part of partsOf([document], format, { first: this.#asked }))
        await draft.writeFile(part);
      await draft.datasync();
      this.end = (await draft.stat()).size;
    } finally {
      await draft.close();
    }
    await this.journal.note({ id: sha256Hex(document.id), end: this.end });
  }

  /** Writes what ends the file; where a kill comes behind it, it is cut off and written again. */
  async #close(format: FileFormat): Promise<void> {
    const { head, tail } = frameOf(format);
    const draft = await open(join(folderOf(this.path), 'draft'), 'a', PRIVATE);
    try {
      await draft.writeFile(this.end === 0 ? head + tail : tail);
      await draft.datasync();
    } finally {
      await draft.close();
    }
  }

  async #place(document: Document): Promise<void> {
    const id = sha256Hex(document.id);
    const staging = join(folderOf(this.path), 'staging');
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    await writeCorpus([document], staging, this.format, { first: this.#asked });
    const names = await readdir(staging);
    // Files of a document that was begun are this output's own.
    if (!this.journal.hasBegun(id))
      for (const name of names.filter(isOwn)) await requireFree(join(this.path, name));
    await this.journal.note({ id, end: null });
    for (const name of names) {
      await makeDurable(join(staging, name));
      await rename(join(staging, name), join(this.path, name));
    }
    await syncDirectory(this.path);
    await this.journal.note({ id, end: 0 });
  }
}

/** A type system is the same beside every document. */
function isOwn(name: string): boolean {
  return name !== TYPE_SYSTEM_FILE;
}

async function begin(path: string, format: WrittenFormat, settings: OutputSettings): Promise<void> {
  const folder = folderOf(path);
  if (isFileFormat(format)) await requireFree(path);
  if (await isThere(settingsOf(folder))) {
    lockFolder(folder, LOCK)();
    throw new TacetError(
      'file-exists',
      `${folder}: an interrupted output of ${path}; go on with --resume, or remove it`,
    );
  }
  if (await isThere(folder))
    throw new TacetError(
      'file-exists',
      `${folder}: no interrupted output, but in the way of one of ${path}; remove it, or choose another place`,
    );
  await makeFolder(isFileFormat(format) ? dirname(path) : path);
  await mkdir(folder, { mode: 0o700 });
  await writeDurably(settingsOf(folder), JSON.stringify(settings), PRIVATE);
}

/** Throws `file-exists` where there is a file instead of a folder to write into. */
async function requireNoFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isDirectory()) return;
  throw new TacetError(
    'file-exists',
    `${path}: a file, where a folder of documents would be written; choose another place`,
  );
}

function requireSame(path: string, before: OutputSettings, now: OutputSettings): void {
  const other = Object.keys(now).filter((key) => before[key] !== now[key]);
  if (other.length === 0) return;
  throw new TacetError(
    'conflict',
    `${path}: begun with another ${other.join(', ')}; go on with the same, or choose another place`,
  );
}

async function cutOff(file: string, bytes: number): Promise<void> {
  const draft = await open(file, 'a', PRIVATE);
  await draft.truncate(bytes);
  await draft.close();
}

/** The finished draft, compressed where the name of `path` asks for it. */
async function wholeFile(folder: string, path: string): Promise<string> {
  const draft = join(folder, 'draft');
  if (!namesGzip(path)) return draft;
  const zipped = join(folder, 'draft.gz');
  await rm(zipped, { force: true });
  await writeParts(zipped, createReadStream(draft, 'utf8'));
  await makeDurable(zipped);
  return zipped;
}

async function makeDurable(file: string): Promise<void> {
  await chmod(file, PRIVATE);
  await syncFile(file);
}

function settingsOf(folder: string): string {
  return join(folder, 'settings.json');
}

function folderOf(path: string): string {
  return `${path.replace(/\/+$/, '')}.unfinished`;
}
