import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeFailure } from '../system-error.js';
import { type Content, syncDirectory } from './durable-file.js';
import { makeFolders } from './make-folders.js';

export interface DraftOptions {
  /** For its owner alone, as is a folder that is made for it. */
  readonly isPrivate?: boolean | undefined;
  /** The folder of the draft, on the same file system; that of the file where not given. */
  readonly draftIn?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What whoever cannot write there may do. */
  readonly advice?: string | undefined;
}

/**
 * A file that is there as a whole or not at all, also after a power cut: written under another name, put
 * in its place by `commit`, taken away by `discard`. An older file is replaced.
 */
export class DraftFile {
  private constructor(
    readonly path: string,
    private readonly draft: string,
    private readonly file: FileHandle,
    private readonly options: DraftOptions,
  ) {}

  /** Throws `file-unwritable`, `disk-full` and the like, as the other methods do; or the signal's reason. */
  static create(path: string, options: DraftOptions = {}): Promise<DraftFile> {
    const { isPrivate = false, draftIn = dirname(path) } = options;
    const draft = join(draftIn, `${basename(path)}.${randomUUID()}.partial`);
    return attempt(path, options, async () => {
      const file = await open(draft, 'wx', isPrivate ? 0o600 : 0o666);
      return new DraftFile(path, draft, file, options);
    });
  }

  /** Writes on from where the last call ended. */
  write(content: Content): Promise<void> {
    const { signal } = this.options;
    const parts =
      typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
    return attempt(this.path, this.options, async () => {
      for (const part of parts) await this.file.writeFile(part, { signal });
    });
  }

  commit(): Promise<void> {
    return attempt(this.path, this.options, async () => {
      await this.file.sync();
      await this.file.close();
      await rename(this.draft, this.path);
      await syncDirectory(dirname(this.path));
    });
  }

  /** Harmless after `commit`. */
  async discard(): Promise<void> {
    await this.file.close();
    await rm(this.draft, { force: true });
  }
}

/** Writes a whole `DraftFile`; folders that are missing are made. Throws as that does. */
export async function writeAtomically(
  path: string,
  content: Content,
  options: DraftOptions = {},
): Promise<void> {
  const { isPrivate = false } = options;
  await attempt(path, options, async () => makeFolders(dirname(path), isPrivate ? 0o700 : 0o777));
  const file = await DraftFile.create(path, options);
  try {
    await file.write(content);
    await file.commit();
  } finally {
    // What is in the way of that was in the way before.
    await file.discard().catch(() => {});
  }
}

async function attempt<T>(
  path: string,
  { signal, advice }: DraftOptions,
  action: () => Promise<T>,
): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await action();
  } catch (error) {
    signal?.throwIfAborted();
    throw writeFailure(error, path, advice);
  }
}
