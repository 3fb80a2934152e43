import { existsSync, statSync } from 'node:fs';
import { readdir, readFile, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TacetError } from '../../proto/errors.js';
import { isUnavailable } from '../blobs/blob-faults.js';
import { fileContent } from '../blobs/file-content.js';
import { acceptMoved, acceptUpload } from './accept-upload.js';
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

  /** Undefined where it is not whole: a crash, or another request that is ending it. */
  async find(id: string): Promise<OpenUpload | undefined> {
    const upload = await this.#read(id);
    return upload?.isMoved ? undefined : upload;
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
    return {
      path: this.#pathOf(id),
      position: offset,
      isStaged: false,
      keep: async (bytes, examination) => {
        if (offset + bytes === size) await this.finish(upload, examination);
      },
      discard: async () => {},
    };
  }

  async finish(upload: OpenUpload, examination?: UploadExamination): Promise<void> {
    const { id, size } = upload;
    try {
      await acceptUpload(this.store, fileContent(this.#pathOf(id), size), upload, examination);
    } catch (error) {
      // Bytes that were refused are worth nothing: the client starts anew.
      if (error instanceof TacetError && !isUnavailable(error)) await this.remove(id);
      else await this.#reopen(upload);
      throw error;
    }
    await this.remove(id);
  }

  /**
   * To a client an upload is done once its last byte has arrived, so it shall send that again. Bytes that were moved are
   * copied back, as far as there is room; what is not there is finished at the next start.
   */
  async #reopen({ id, size, digest }: OpenUpload): Promise<void> {
    const path = this.#pathOf(id);
    const kept = Math.max(0, size - 1);
    if (existsSync(path)) return truncate(path, kept);
    if ((await this.store.blobs.size(digest)) !== size) return;
    const bytes = kept === 0 ? [] : this.store.blobs.read(digest, { start: 0, end: kept - 1 });
    await writeFile(path, bytes).catch(() => {});
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
    try {
      if (!upload) throw new Error('it has no record');
      if (upload.isMoved) await acceptMoved(this.store, upload);
      else await acceptUpload(this.store, fileContent(this.#pathOf(id), upload.size), upload);
      await this.remove(id);
      return 'finished';
    } catch (error) {
      // Later its blob can be made.
      if (isUnavailable(error)) throw error;
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

/** `rm`, which there may be nothing for, by one call of the system. */
async function removed(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function comingBytesOf(open: readonly OpenUpload[]): number {
  return open.reduce((sum, { size, offset }) => sum + size - offset, 0);
}
