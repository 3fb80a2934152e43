import { open, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../platform/files/make-folders.js';
import type { BlobAside, BlobContent, Blobs, ByteRange, OpenBlob, UploadParts } from './blobs.js';
import { OpenFile } from './open-file.js';
import { VerifiedBytes } from './verified-bytes.js';

export interface CacheOptions {
  /** Its own; whatever lies there is removed. */
  readonly directory: string;
  readonly mostBytes: number;
  /** Blobs of so many bytes at most are fetched before they are read; 1 MiB unless stated. */
  readonly smallBytes?: number | undefined;
}

export const DEFAULT_CACHE_BYTES = 8 * 2 ** 30;
/** So many large blobs are fetched at a time, beside what is read meanwhile. */
const FETCHES = 2;
/** All of what is as small takes hardly longer than a part of it, and many readers may want it at once. */
const SMALL_BYTES = 2 ** 20;
/** So many erased blobs are remembered, far more than are withdrawn while one reading lasts. */
const ERASED = 100_000;

/**
 * Blobs that lie far away, with copies of those that are read in many places in a directory: whole ones, verified
 * when they are fetched, those read longest ago the first to go. Until a copy is there a large blob is read
 * from afar. The directory is emptied at an end, and at a start, for a crash may leave half a copy, or one of what was
 * withdrawn since. An erased blob is gone from it, also where it was being fetched, and is not fetched again: who withdrew it may
 * still have to erase it, and a reading that is under way goes on meanwhile.
 */
export class CachedBlobs implements Blobs {
  /** Bytes by digest; the one read last is the last. */
  readonly #copies = new Map<string, number>();
  readonly #fetches = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  /** Those that have no copy any more, whoever reads them; the last one is the last. */
  readonly #erased = new Set<string>();
  /** Those whose fetch has had its turn, so that bytes of them may be here. */
  readonly #running = new Set<string>();
  #largeFetches = 0;
  #bytes = 0;
  #isClosed = false;

  private constructor(
    readonly far: Blobs,
    readonly directory: string,
    readonly mostBytes: number,
    readonly smallBytes: number,
  ) {}

  static async over(far: Blobs, options: CacheOptions): Promise<CachedBlobs> {
    const { directory, mostBytes, smallBytes = SMALL_BYTES } = options;
    await rm(directory, { recursive: true, force: true });
    makeFolders(directory, 0o700);
    return new CachedBlobs(far, directory, mostBytes, smallBytes);
  }

  get parts(): UploadParts | undefined {
    return this.far.parts;
  }

  get comparesMd5(): boolean | undefined {
    return this.far.comparesMd5;
  }

  get parallelReads(): number {
    return this.far.parallelReads;
  }

  reach(): Promise<void> {
    return this.far.reach();
  }

  /** Bytes of the copies that are there. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Where all that will be read along with the blob has room, it is fetched for the next time; what has
   * none would be thrown away before it is read again.
   */
  async open(
    digest: string,
    amongBytes = Number.POSITIVE_INFINITY,
    bytes?: number,
  ): Promise<OpenBlob> {
    const copy = await this.#openCopy(digest);
    if (copy) return copy;
    const blob = await this.far.open(digest, amongBytes, bytes);
    if (amongBytes > this.mostBytes) return blob;
    const fetch = this.#fetchOf(digest, blob.bytes);
    if (blob.bytes > this.smallBytes) return blob;
    await fetch;
    const fetched = await this.#openCopy(digest);
    if (!fetched) return blob;
    await blob.close();
    return fetched;
  }

  async erase(digest: string): Promise<void> {
    await this.forget(digest, () => this.far.erase(digest));
  }

  /** Erases the copy alone, also where it is being fetched: another process erased the blob. `meanwhile` is awaited, too. */
  async forget(digest: string, meanwhile = async (): Promise<void> => {}): Promise<void> {
    this.#refuse(digest);
    await this.#drop(digest);
    await meanwhile();
    if (this.#running.has(digest)) await this.#fetches.get(digest);
  }

  async isolate(digest: string): Promise<void> {
    await this.#drop(digest);
    await this.far.isolate(digest);
  }

  async putAside(digest: string): Promise<void> {
    await this.#drop(digest);
    await this.far.putAside(digest);
  }

  async put(content: BlobContent, digest: string): Promise<boolean> {
    const isNew = await this.far.put(content, digest);
    // It was collected before, and is here anew.
    this.#erased.delete(digest);
    return isNew;
  }

  size(digest: string): Promise<number | undefined> {
    return this.far.size(digest);
  }

  stored(digest: string): Promise<Date | undefined> {
    return this.far.stored(digest);
  }

  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    return this.far.read(digest, range);
  }

  async takeBack(digest: string): Promise<void> {
    await this.far.takeBack(digest);
    this.#erased.delete(digest);
  }

  discardOrphan(digest: string): Promise<void> {
    return this.far.discardOrphan(digest);
  }

  digests(): AsyncIterable<string> {
    return this.far.digests();
  }

  aside(): AsyncIterable<BlobAside> {
    return this.far.aside();
  }

  /** Resolves when nothing is being fetched. */
  async idle(): Promise<void> {
    while (this.#fetches.size > 0) await Promise.all(this.#fetches.values());
  }

  /** Erases every copy, and makes no more: nobody tells who has ended of a withdrawal. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // At once, however long whoever is asked for the rest of a blob is silent.
    for (const digest of [...this.#copies.keys()]) await this.#drop(digest);
    for (const digest of this.#running) await eraseFile(this.#draftOf(digest));
    await this.idle();
  }

  #isWanted(digest: string): boolean {
    return !this.#isClosed && !this.#erased.has(digest);
  }

  async #openCopy(digest: string): Promise<OpenBlob | undefined> {
    const bytes = this.#copies.get(digest);
    if (bytes === undefined) return undefined;
    this.#copies.delete(digest);
    this.#copies.set(digest, bytes);
    try {
      return new OpenFile(await open(this.#pathOf(digest), 'r'), bytes);
    } catch {
      // Another hand removed it, or it was dropped a moment ago.
      return undefined;
    }
  }

  /** Resolves when a copy is there, or none can be had. */
  async #fetchOf(digest: string, bytes: number): Promise<void> {
    if (bytes > this.mostBytes || this.#copies.has(digest) || !this.#isWanted(digest)) return;
    const known = this.#fetches.get(digest);
    if (known) return known;
    const fetch = this.#fetchInTurn(digest, bytes)
      // Who reads it next meets what was wrong, and there it has a reader to tell.
      .catch(() => {})
      .finally(() => {
        this.#fetches.delete(digest);
      });
    this.#fetches.set(digest, fetch);
    return fetch;
  }

  async #fetchInTurn(digest: string, bytes: number): Promise<void> {
    const isLarge = bytes > this.smallBytes;
    if (isLarge) await this.#turn();
    this.#running.add(digest);
    try {
      if (this.#isWanted(digest)) await this.#fetch(digest, bytes);
    } finally {
      this.#running.delete(digest);
      if (isLarge) this.#endTurn();
    }
  }

  async #turn(): Promise<void> {
    if (this.#largeFetches < FETCHES) this.#largeFetches++;
    else await new Promise<void>((go) => this.#waiting.push(go));
  }

  /** The next one takes it over. */
  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#largeFetches--;
  }

  async #fetch(digest: string, bytes: number): Promise<void> {
    const draft = this.#draftOf(digest);
    const content = { bytes, read: () => this.far.read(digest) };
    try {
      const file = await open(draft, 'w', 0o600);
      try {
        for await (const chunk of new VerifiedBytes(content, digest)) {
          if (!this.#isWanted(digest)) return;
          await file.writeFile(chunk);
        }
      } finally {
        await file.close();
      }
      await this.#makeRoom(bytes);
      if (!this.#isWanted(digest)) return;
      await rename(draft, this.#pathOf(digest));
      this.#copies.set(digest, bytes);
      this.#bytes += bytes;
      if (!this.#isWanted(digest)) await this.#drop(digest);
    } finally {
      await eraseFile(draft);
    }
  }

  #refuse(digest: string): void {
    this.#erased.delete(digest);
    this.#erased.add(digest);
    const [oldest] = this.#erased;
    // What is being fetched still asks when it ends.
    if (this.#erased.size > ERASED && oldest !== undefined && !this.#fetches.has(oldest))
      this.#erased.delete(oldest);
  }

  async #makeRoom(bytes: number): Promise<void> {
    while (this.#bytes + bytes > this.mostBytes) {
      const [oldest] = this.#copies.keys();
      if (oldest === undefined) return;
      await this.#drop(oldest);
    }
  }

  async #drop(digest: string): Promise<void> {
    const bytes = this.#copies.get(digest);
    if (bytes === undefined) return;
    this.#copies.delete(digest);
    this.#bytes -= bytes;
    await eraseFile(this.#pathOf(digest));
  }

  #draftOf(digest: string): string {
    return `${this.#pathOf(digest)}.partial`;
  }

  #pathOf(digest: string): string {
    return join(this.directory, digest);
  }
}

/** Who still holds the file open reads nothing more. */
async function eraseFile(path: string): Promise<void> {
  try {
    await truncate(path);
    await rm(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
