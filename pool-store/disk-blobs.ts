import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { moveDurably, syncDirectory } from '../platform/files/durable-file.js';
import { TacetError } from '../proto/errors.js';
import type { BlobAside, Blobs, ByteRange, OpenBlob } from './blobs.js';

const DIGEST = /^[0-9a-f]{64}$/;
const CHUNK_BYTES = 1 << 18;

/** Where blobs out of use lie, beside the directory of the others. */
const ASIDE: Readonly<Record<BlobAside['reason'], string>> = {
  damaged: 'quarantine',
  orphan: 'orphans',
};

/** Blobs as files of one directory, `ab/abcdef...`. */
export class DiskBlobs implements Blobs {
  constructor(readonly directory: string) {}

  isEmpty(): boolean {
    return !readdirSync(this.directory).some(
      (folder) =>
        /^[0-9a-f]{2}$/.test(folder) &&
        readdirSync(join(this.directory, folder)).some((name) => DIGEST.test(name)),
    );
  }

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

  async erase(digest: string): Promise<void> {
    const aside = (['damaged', 'orphan'] as const).map((reason) => this.#asideOf(digest, reason));
    for (const path of [this.#pathOf(digest), ...aside]) await eraseFile(path);
  }

  isolate(digest: string): Promise<void> {
    return this.#move(this.#pathOf(digest), this.#asideOf(digest, 'damaged'));
  }

  putAside(digest: string): Promise<void> {
    return this.#move(this.#pathOf(digest), this.#asideOf(digest, 'orphan'));
  }

  takeBack(digest: string): Promise<void> {
    return this.#move(this.#asideOf(digest, 'orphan'), this.#pathOf(digest));
  }

  discardOrphan(digest: string): Promise<void> {
    return eraseFile(this.#asideOf(digest, 'orphan'));
  }

  async *aside(): AsyncGenerator<BlobAside> {
    for (const reason of ['damaged', 'orphan'] as const) {
      const directory = this.#asideDirectory(reason);
      if (!existsSync(directory)) continue;
      for await (const { name } of await opendir(directory)) {
        if (!DIGEST.test(name)) continue;
        yield { digest: name, bytes: (await stat(join(directory, name))).size, reason };
      }
    }
  }

  async *digests(): AsyncGenerator<string> {
    for await (const folder of await opendir(this.directory)) {
      if (!folder.isDirectory()) continue;
      for await (const file of await opendir(join(this.directory, folder.name))) {
        if (DIGEST.test(file.name)) yield file.name;
      }
    }
  }

  async #move(from: string, to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await syncDirectory(dirname(dirname(to)));
    await moveDurably(from, to);
    await syncDirectory(dirname(from));
  }

  #asideDirectory(reason: BlobAside['reason']): string {
    return join(dirname(this.directory), ASIDE[reason]);
  }

  #asideOf(digest: string, reason: BlobAside['reason']): string {
    return join(this.#asideDirectory(reason), digest);
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
