import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { writeFailure } from '../system-error.js';

/** For the owner alone. */
const MODE = 0o600;

/**
 * A file that only its owner may read and that is there as a whole or not at all: written beside its
 * place, moved there by `commit`, removed by `discard`. An older file is replaced.
 */
export class PrivateFile {
  private constructor(
    readonly path: string,
    private readonly draft: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws TacetError where the system refuses to write, as the other methods do. */
  static async create(path: string): Promise<PrivateFile> {
    const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    return attempt(path, async () => new PrivateFile(path, draft, await open(draft, 'wx', MODE)));
  }

  write(text: string): Promise<unknown> {
    return attempt(this.path, () => this.file.write(text));
  }

  commit(): Promise<void> {
    return attempt(this.path, async () => {
      await this.file.close();
      await rename(this.draft, this.path);
    });
  }

  /** Harmless after `commit`. */
  async discard(): Promise<void> {
    await this.file.close();
    await rm(this.draft, { force: true });
  }
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw writeFailure(error, path);
  }
}
