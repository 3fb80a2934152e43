import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../../../platform/files/draft-file.js';
import { syncDirectory } from '../../../../platform/files/durable-file.js';
import { makeFolders } from '../../../../platform/files/make-folders.js';
import { writeFailure } from '../../../../platform/system-error.js';
import { sha256Hex } from '../../../../proto/digest.js';
import { TacetError } from '../../../../proto/errors.js';

const SEGMENT = /^([0-9a-f]{64})\.segment$/;
const PARTIAL = /\.partial$/;

/** Segments that wait for their pool, named by the SHA-256 of their bytes. */
export class Outbox {
  private constructor(readonly directory: string) {}

  static async open(home: string): Promise<Outbox> {
    const directory = join(home, 'outbox');
    try {
      makeFolders(directory, 0o700);
    } catch (error) {
      throw writeFailure(error, directory);
    }
    return new Outbox(directory);
  }

  /** Stores the parts of a segment so that it survives a power loss; returns its digest in hex. */
  async add(...parts: readonly Uint8Array[]): Promise<string> {
    const digest = sha256Hex(...parts);
    await writeAtomically(this.path(digest), parts, { isPrivate: true });
    return digest;
  }

  /** The very bytes that were added. Throws `file-not-found` or `digest-mismatch`. */
  async read(digest: string): Promise<Uint8Array> {
    const file = this.path(digest);
    const bytes = await readFile(file).catch(() => {
      throw new TacetError(
        'file-not-found',
        `${file}: missing, though the ledger counts its sentences as released; restore the file`,
      );
    });
    const found = sha256Hex(bytes);
    if (found !== digest)
      throw new TacetError('digest-mismatch', `${file}: found SHA-256 ${found}; restore the file`);
    return bytes;
  }

  /** Deletes what the ledger does not know: such a segment never left, nor may it ever. */
  async sweep(known: ReadonlySet<string>): Promise<void> {
    let swept = false;
    for (const name of await readdir(this.directory)) {
      const digest = SEGMENT.exec(name)?.[1];
      if (digest === undefined ? !PARTIAL.test(name) : known.has(digest)) continue;
      await rm(join(this.directory, name), { force: true });
      swept = true;
    }
    if (swept) await syncDirectory(this.directory);
  }

  async remove(digest: string): Promise<void> {
    await rm(this.path(digest), { force: true });
    await syncDirectory(this.directory);
  }

  /** Where uploads that broke off are remembered: addresses at the pool and digests. */
  get resumeFile(): string {
    return join(this.directory, 'uploads.json');
  }

  private path(digest: string): string {
    return join(this.directory, `${digest}.segment`);
  }
}
