import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TacetError } from '../proto/errors.js';
import type { Blobs, ByteRange, OpenBlob } from './blobs.js';
import { moveDurably, syncDirectory } from './durable-file.js';

const DIGEST = /^[0-9a-f]{64}$/;
const CHUNK_BYTES = 1 << 18;

/** Blobs as files of one directory, `ab/abcdef...`. */
export class DiskBlobs implements Blobs {
  /** Damaged blobs are moved to `quarantine`. */
  constructor(
    readonly directory: string,
    readonly quarantine = join(dirname(directory), 'quarantine'),
  ) {}

  async adopt(path: string, digest: string): Promise<void> {
    const target = this.#pathOf(digest);
    await mkdir(dirname(target), { recursive: true });
    // Also where the folder was there: another adoption may have made it and not synced it yet.
    await syncDirectory(this.directory);
    await moveDurably(path, target);
  }

  async size(digest: string): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(digest))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async open(digest: string): Promise<OpenBlob> {
    try {
      const file = await open(this.#pathOf(digest), 'r');
      return new OpenFile(file, (await file.stat()).size);
    } catch (error) {
      if (isMissing(error)) throw new TacetError('not-found', `there is no blob ${digest}`);
      throw error;
    }
  }

  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    return createReadStream(this.#pathOf(digest), { ...range, highWaterMark: CHUNK_BYTES });
  }

  /** Who still holds the file open reads nothing more. */
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

  async isolate(digest: string): Promise<void> {
    await mkdir(this.quarantine, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(digest);
    await moveDurably(path, join(this.quarantine, digest));
    await syncDirectory(dirname(path));
  }

  async *digests(): AsyncGenerator<string> {
    for await (const folder of await opendir(this.directory)) {
      if (!folder.isDirectory()) continue;
      for await (const file of await opendir(join(this.directory, folder.name))) {
        if (DIGEST.test(file.name)) yield file.name;
      }
    }
  }

  /** Throws `request-invalid` for what is no digest. */
  #pathOf(digest: string): string {
    if (DIGEST.test(digest)) return join(this.directory, digest.slice(0, 2), digest);
    throw new TacetError('request-invalid', 'a blob is named by a SHA-256 in lower-case hex');
  }
}

class OpenFile implements OpenBlob {
  constructor(
    readonly file: FileHandle,
    readonly bytes: number,
  ) {}

  async readInto(offset: number, target: Buffer): Promise<void> {
    const { length } = target;
    if ((await this.file.read(target, 0, length, offset)).bytesRead === length) return;
    throw new TacetError('segment-invalid', `the segment has no ${length} bytes at byte ${offset}`);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
