import { createReadStream, existsSync, readdirSync, type Stats } from 'node:fs';
import { access, constants, open, opendir, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DraftFile } from '../../platform/files/draft-file.js';
import { moveDurably, syncDirectory } from '../../platform/files/durable-file.js';
import { makeFolders } from '../../platform/files/make-folders.js';
import { TacetError } from '../../proto/errors.js';
import { isDigest, noSuchBlob, requireDigest } from './blob-digest.js';
import type { BlobAside, BlobContent, Blobs, ByteRange, OpenBlob } from './blobs.js';
import { OpenFile } from './open-file.js';
import { VerifiedBytes } from './verified-bytes.js';

const CHUNK_BYTES = 1 << 18;
const PRIVATE = 0o700;

/** Where blobs out of use lie, beside the directory of the others. */
const ASIDE: Readonly<Record<BlobAside['reason'], string>> = {
  damaged: 'quarantine',
  orphan: 'orphans',
};

/** Blobs as files of one directory, `ab/abcdef...`. */
export class DiskBlobs implements Blobs {
  readonly parallelReads = 1;
  /** Folders whose names are on the disk for good. */
  readonly #syncedFolders = new Set<string>();

  /** `drafts` lies on the same file system; a start of the server removes what a crash left there. */
  constructor(
    readonly directory: string,
    readonly drafts = join(dirname(directory), 'uploads'),
  ) {}

  async reach(): Promise<void> {
    try {
      await access(this.directory, constants.R_OK | constants.W_OK);
    } catch (cause) {
      const message = `${this.directory} cannot be read and written; is its disk mounted?`;
      throw new TacetError('store-unavailable', message, { cause });
    }
  }

  isEmpty(): boolean {
    return !readdirSync(this.directory).some(
      (folder) =>
        /^[0-9a-f]{2}$/.test(folder) &&
        readdirSync(join(this.directory, folder)).some((name) => isDigest(name)),
    );
  }

  /**
   * A file is synced and renamed: between the two nothing of it is a blob. Other bytes are written to a draft
   * first. An older blob of the name is replaced, which mends one that was damaged.
   */
  async put(content: BlobContent, digest: string): Promise<boolean> {
    const target = this.#pathOf(digest);
    await this.#makeFolder(dirname(target));
    if (content.file === undefined) await this.#copy(content, target, digest);
    else await moveDurably(content.file, target);
    return true;
  }

  async size(digest: string): Promise<number | undefined> {
    return (await this.#found(digest))?.size;
  }

  async stored(digest: string): Promise<Date | undefined> {
    return (await this.#found(digest))?.mtime;
  }

  async open(digest: string): Promise<OpenBlob> {
    try {
      const file = await open(this.#pathOf(digest), 'r');
      return new OpenFile(file, (await file.stat()).size);
    } catch (error) {
      throw isMissing(error) ? noSuchBlob(digest) : error;
    }
  }

  async *read(digest: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    try {
      yield* createReadStream(this.#pathOf(digest), { ...range, highWaterMark: CHUNK_BYTES });
    } catch (error) {
      throw isMissing(error) ? noSuchBlob(digest) : error;
    }
  }

  async erase(digest: string): Promise<void> {
    const aside = (['damaged', 'orphan'] as const).map((reason) => this.#asideOf(digest, reason));
    for (const path of [this.#pathOf(digest), ...aside]) await eraseFile(path);
  }

  isolate(digest: string): Promise<void> {
    return this.#move(digest, this.#pathOf(digest), this.#asideOf(digest, 'damaged'));
  }

  putAside(digest: string): Promise<void> {
    return this.#move(digest, this.#pathOf(digest), this.#asideOf(digest, 'orphan'));
  }

  takeBack(digest: string): Promise<void> {
    return this.#move(digest, this.#asideOf(digest, 'orphan'), this.#pathOf(digest));
  }

  discardOrphan(digest: string): Promise<void> {
    return eraseFile(this.#asideOf(digest, 'orphan'));
  }

  async *aside(): AsyncGenerator<BlobAside> {
    for (const reason of ['damaged', 'orphan'] as const) {
      const directory = this.#asideDirectory(reason);
      if (!existsSync(directory)) continue;
      for await (const { name } of await opendir(directory)) {
        if (!isDigest(name)) continue;
        yield { digest: name, bytes: (await stat(join(directory, name))).size, reason };
      }
    }
  }

  async *digests(): AsyncGenerator<string> {
    for await (const folder of await opendir(this.directory)) {
      if (!folder.isDirectory()) continue;
      for await (const file of await opendir(join(this.directory, folder.name))) {
        if (isDigest(file.name)) yield file.name;
      }
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#syncedFolders.has(folder) && existsSync(folder)) return;
    makeFolders(folder);
    // Also where the folder was there: another put may have made it and not synced it yet.
    await syncDirectory(this.directory);
    this.#syncedFolders.add(folder);
  }

  async #found(digest: string): Promise<Stats | undefined> {
    try {
      return await stat(this.#pathOf(digest));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async #copy(content: BlobContent, target: string, digest: string): Promise<void> {
    makeFolders(this.drafts, PRIVATE);
    const draft = await DraftFile.create(target, { isPrivate: true, draftIn: this.drafts });
    try {
      for await (const chunk of new VerifiedBytes(content, digest)) await draft.write(chunk);
      await draft.commit();
    } finally {
      await draft.discard();
    }
  }

  async #move(digest: string, from: string, to: string): Promise<void> {
    makeFolders(dirname(to), PRIVATE);
    await syncDirectory(dirname(dirname(to)));
    try {
      await moveDurably(from, to);
    } catch (error) {
      throw isMissing(error) ? noSuchBlob(digest) : error;
    }
    await syncDirectory(dirname(from));
  }

  #asideDirectory(reason: BlobAside['reason']): string {
    return join(dirname(this.directory), ASIDE[reason]);
  }

  #asideOf(digest: string, reason: BlobAside['reason']): string {
    return join(this.#asideDirectory(reason), digest);
  }

  #pathOf(digest: string): string {
    requireDigest(digest);
    return join(this.directory, digest.slice(0, 2), digest);
  }
}

/** Who still holds the file open reads nothing more. */
async function eraseFile(path: string): Promise<void> {
  try {
    await truncate(path);
    await rm(path);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await syncDirectory(dirname(path));
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
