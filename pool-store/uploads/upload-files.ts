import { existsSync, statSync } from 'node:fs';
import { readdir, readFile, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnavailable } from '../blobs/blob-faults.js';
import { fileContent } from '../blobs/file-content.js';
import { acceptMoved, acceptUpload, isWorthless } from './accept-upload.js';
import type {
  Holdings,
  IncomingBytes,
  NewUpload,
  OpenUpload,
  OpenUploads,
  UploadRecovery,
} from './open-uploads.js';
import type { UploadExamination } from './upload-examination.js';
import type { UploadStore } from './upload-store.js';

/** Whoever makes an upload of a store takes this turn, so that each is checked with all before it. */
const CREATION = 'the creation of an upload';

interface UploadRecord {
  readonly size: number;
  readonly metadata: Pick<OpenUpload, 'digest' | 'kind' | 'owner' | 'holder'>;
}

interface FoundUpload extends OpenUpload {
  /** Whether all bytes arrived and were moved, to be a blob. */
  readonly isMoved: boolean;
}

/** Uploads of the one process that serves a directory: a file for the bytes of each, and beside it what it is. */
export class UploadFiles implements OpenUploads {
  /** What each upload is, which never changes: every new one is checked with all others. */
  readonly #records = new Map<string, UploadRecord>();
  /** Those whose last byte has arrived and is being answered for. */
  readonly #ending = new Set<string>();

  constructor(private readonly store: UploadStore) {}

  create(upload: NewUpload, admit: (holdings: Holdings) => void): Promise<void> {
    return this.store.turns.take(CREATION, async () => {
      const storedBytes = await this.store.blobRecords.bytesOf(upload.holder);
      const open = await this.all();
      admit({ open, storedBytes, comingBytes: comingBytesOf(open) });
      const { id, size, digest, kind, owner, holder } = upload;
      const record: UploadRecord = { size, metadata: { digest, kind, owner, holder } };
      await writeFile(this.#pathOf(id), '');
      await writeFile(`${this.#pathOf(id)}.json`, JSON.stringify(record));
      this.#records.set(id, record);
    });
  }

  /**
   * Undefined where it is not whole: a crash, or another request that is ending it. One that was moved and is no blob yet
   * lacks its last byte.
   */
  async find(id: string): Promise<OpenUpload | undefined> {
    const upload = await this.#read(id);
    if (!upload?.isMoved) return upload;
    return this.#ending.has(id) ? undefined : { ...upload, offset: allButOne(upload) };
  }

  /** What was moved counts here until it counts as a blob. */
  async all(): Promise<OpenUpload[]> {
    const { blobRecords } = this.store;
    const found: OpenUpload[] = [];
    for (const id of await this.#ids()) {
      const upload = await this.#read(id);
      if (upload && !(upload.isMoved && (await blobRecords.find(upload.digest))))
        found.push(upload);
    }
    return found;
  }

  async comingBytes(): Promise<number> {
    return comingBytesOf(await this.all());
  }

  async receive(upload: OpenUpload): Promise<IncomingBytes> {
    const { id, offset, size } = upload;
    const keep = async (bytes: number, examination?: UploadExamination) => {
      if (offset + bytes === size) await this.finish(upload, examination);
    };
    const path = this.#pathOf(id);
    if (existsSync(path))
      return { path, position: offset, isStaged: false, keep, discard: async () => {} };
    // What was moved is there to its last byte, so that what is sent of it goes nowhere.
    const rest = `${path}-rest`;
    await writeFile(rest, '');
    return { path: rest, position: 0, isStaged: true, keep, discard: () => removed(rest) };
  }

  async finish(upload: OpenUpload, examination?: UploadExamination): Promise<void> {
    const { id } = upload;
    this.#ending.add(id);
    try {
      await this.#accept(upload, examination);
      await this.remove(id);
    } catch (error) {
      if (isWorthless(error)) await this.remove(id);
      else await this.#reopen(upload);
      throw error;
    } finally {
      this.#ending.delete(id);
    }
  }

  /** As `acceptUpload`, also where the bytes were moved already. */
  async #accept(upload: OpenUpload, examination?: UploadExamination): Promise<void> {
    const path = this.#pathOf(upload.id);
    if (existsSync(path))
      await acceptUpload(this.store, fileContent(path, upload.size), upload, examination);
    else await acceptMoved(this.store, upload);
  }

  /** To a client an upload is done once its last byte has arrived, so it shall send that again (`find`). */
  async #reopen(upload: OpenUpload): Promise<void> {
    const path = this.#pathOf(upload.id);
    if (existsSync(path)) await truncate(path, allButOne(upload));
  }

  async remove(id: string): Promise<void> {
    this.#records.delete(id);
    await removed(this.#pathOf(id));
    await removed(`${this.#pathOf(id)}.json`);
  }

  /**
   * Finishes what a crash cut off between the last byte of an upload and its blob, also where the bytes had been moved
   * already.
   */
  async recover(): Promise<UploadRecovery> {
    const counts = { unfinished: 0, finished: 0, removed: 0 };
    for (const id of await this.#ids()) counts[await this.#recover(id)]++;
    return counts;
  }

  async sweep(): Promise<void> {}

  async #recover(id: string): Promise<keyof UploadRecovery> {
    const upload = await this.#read(id);
    if (upload && upload.offset < upload.size) return 'unfinished';
    if (!upload) {
      await this.remove(id);
      return 'removed';
    }
    try {
      await this.#accept(upload);
      await this.remove(id);
      return 'finished';
    } catch (error) {
      // Later its blob can be made.
      if (isUnavailable(error)) throw error;
      if (!isWorthless(error)) {
        await this.#reopen(upload);
        return 'unfinished';
      }
      await this.remove(id);
      return 'removed';
    }
  }

  /** The ids of everything that is there, also of what a crash left in halves. */
  async #ids(): Promise<Set<string>> {
    const names = await readdir(this.store.uploads);
    return new Set(names.map((name) => name.replace(/\.json$/, '')));
  }

  async #read(id: string): Promise<FoundUpload | undefined> {
    const path = this.#pathOf(id);
    try {
      const { size, metadata } = await this.#recordOf(id);
      // What this process has just written its system knows without the disk, and is asked for often.
      const bytes = statSync(path, { throwIfNoEntry: false });
      const { mtime: touched } = bytes ?? statSync(`${path}.json`);
      return { id, size, offset: bytes?.size ?? size, touched, isMoved: !bytes, ...metadata };
    } catch {
      this.#records.delete(id);
      return undefined;
    }
  }

  async #recordOf(id: string): Promise<UploadRecord> {
    const known = this.#records.get(id);
    if (known) return known;
    const record: UploadRecord = JSON.parse(await readFile(`${this.#pathOf(id)}.json`, 'utf8'));
    this.#records.set(id, record);
    return record;
  }

  #pathOf(id: string): string {
    return join(this.store.uploads, id);
  }
}

function allButOne({ size }: OpenUpload): number {
  return Math.max(0, size - 1);
}

/** `rm`, which there may be nothing for, by one call of the system. */
async function removed(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function comingBytesOf(open: readonly OpenUpload[]): number {
  return open.reduce((sum, { size, offset }) => sum + size - offset, 0);
}
