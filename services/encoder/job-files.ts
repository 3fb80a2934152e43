import { mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { syncDirectory, writeDurably } from '../../models/bundle/durable.js';
import { TacetError } from '../../proto/errors.js';

/** A job over files: what a restart needs to go on with it. */
export interface FileJob {
  readonly id: string;
  /** Below the input directory. */
  readonly input: string;
}

const ID = /^[0-9a-f-]{36}$/;

/**
 * Jobs over files that have not ended, one file each, so that a restart takes them up again; the
 * ledger keeps what they released from being released twice. They hold a path and no text.
 */
export class JobFiles {
  private constructor(private readonly directory: string) {}

  static async open(home: string): Promise<JobFiles> {
    const directory = join(home, 'jobs');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new JobFiles(directory);
  }

  async add({ id, input }: FileJob): Promise<void> {
    await writeDurably(join(this.directory, id), input, 0o600);
    await syncDirectory(this.directory);
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.directory, id), { force: true });
    await syncDirectory(this.directory);
  }

  async unfinished(): Promise<FileJob[]> {
    const names = (await readdir(this.directory)).filter((name) => ID.test(name)).sort();
    return Promise.all(
      names.map(async (id) => ({ id, input: await readFile(join(this.directory, id), 'utf8') })),
    );
  }
}

/** The file or directory `input` below `root`. Throws `not-found` for all that lies elsewhere. */
export async function resolveInput(root: string | undefined, input: string): Promise<string> {
  if (root === undefined)
    throw new TacetError(
      'not-found',
      'this encoder reads no files: it was started without --input',
    );
  const missing = new TacetError('not-found', 'there is no such file below the input directory');
  const base = await realpath(root);
  // After links are followed, so that none leads outside.
  const target = await realpath(resolve(base, input)).catch(() => {
    throw missing;
  });
  const path = relative(base, target);
  if (path === '..' || path.startsWith(`..${sep}`)) throw missing;
  return target;
}
