import { createHash } from 'node:crypto';
import { createReadStream, rmSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { TacetError } from '../proto/errors.js';
import { moveDurably, syncDirectory } from './durable-file.js';

/** Inclusive, as in HTTP ranges. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const DIGEST = /^[0-9a-f]{64}$/;

/** Immutable files named by their SHA-256, `ab/abcdef...`. */
export class BlobStore {
  constructor(readonly directory: string) {}

  /**
   * Makes the file at `path` the blob `digest`; when it returns, the blob survives a power cut. The
   * caller has verified the digest.
   */
  async adopt(path: string, digest: string): Promise<void> {
    const target = this.#pathOf(digest);
    await mkdir(dirname(target), { recursive: true });
    // Also where the folder was there: another adoption may have made it and not synced it yet.
    await syncDirectory(this.directory);
    await moveDurably(path, target);
  }

  /** Bytes of the blob, or undefined where there is none. */
  async size(digest: string): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(digest))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Throws `not-found`. The caller closes the handle. */
  async open(digest: string): Promise<FileHandle> {
    try {
      return await open(this.#pathOf(digest), 'r');
    } catch (error) {
      if (isMissing(error)) throw new TacetError('not-found', `there is no blob ${digest}`);
      throw error;
    }
  }

  read(digest: string, range?: ByteRange): Readable {
    return createReadStream(this.#pathOf(digest), { ...range, highWaterMark: 1 << 18 });
  }

  /** Removes the bytes for good; who still holds the file open reads nothing more. */
  async erase(digest: string): Promise<void> {
    const path = this.#pathOf(digest);
    try {
      await truncate(path);
      await rm(path);
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    await syncDirectory(dirname(path));
  }

  /** As `erase`, without letting anything else happen meanwhile; a crash may bring the bytes back. */
  eraseNow(digest: string): void {
    rmSync(this.#pathOf(digest), { force: true });
  }

  /** Whether the blob lies on disk in its full size. */
  holds(digest: string, bytes: number): boolean {
    return statSync(this.#pathOf(digest), { throwIfNoEntry: false })?.size === bytes;
  }

  /** Moves the bytes out of the store, where they can be looked at. */
  async isolate(digest: string, directory: string): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(digest);
    await moveDurably(path, join(directory, digest));
    await syncDirectory(dirname(path));
  }

  /** Every blob on disk. */
  async *digests(): AsyncGenerator<string> {
    for await (const folder of await opendir(this.directory)) {
      if (!folder.isDirectory()) continue;
      for await (const file of await opendir(join(this.directory, folder.name))) {
        if (DIGEST.test(file.name)) yield file.name;
      }
    }
  }

  /** The blob's path below the directory. Throws `request-invalid` for what is no digest. */
  nameOf(digest: string): string {
    if (!DIGEST.test(digest)) {
      throw new TacetError('request-invalid', 'a blob is named by a SHA-256 in lower-case hex');
    }
    return join(digest.slice(0, 2), digest);
  }

  #pathOf(digest: string): string {
    return join(this.directory, this.nameOf(digest));
  }
}

/** SHA-256, in hex, of what a stream gives. */
export async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
