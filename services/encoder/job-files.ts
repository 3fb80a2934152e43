import { mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { syncDirectory, writeDurably } from '../../models/bundle/durable.js';
import { TacetError } from '../../proto/errors.js';
import type { JobView } from './jobs.js';

/** What a restart must know of a job. */
export interface JobRecord {
  /** As it was when it was written: waiting, or ended. */
  readonly view: JobView;
  /** Below the input directory; null for documents, which lived in the process alone. */
  readonly input: string | null;
  readonly dryRun: boolean;
}

const NAME = /^([0-9a-f-]{36})\.json$/;

/**
 * The jobs of an encoder, a file each, so that a restart finds them again. They hold counts and the
 * path of an input, and no text.
 */
export class JobFiles {
  private constructor(private readonly directory: string) {}

  static async open(home: string): Promise<JobFiles> {
    const directory = join(home, 'jobs');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new JobFiles(directory);
  }

  /** Writes a record, in the place of an earlier one of the same job. */
  async put(record: JobRecord): Promise<void> {
    const file = join(this.directory, `${record.view.id}.json`);
    await rm(`${file}.partial`, { force: true });
    await writeDurably(`${file}.partial`, JSON.stringify(record), 0o600);
    await rename(`${file}.partial`, file);
    await syncDirectory(this.directory);
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.directory, `${id}.json`), { force: true });
  }

  /** Oldest first. A file that was cut off or changed is passed over. */
  async all(): Promise<JobRecord[]> {
    const names = (await readdir(this.directory)).filter((name) => NAME.test(name));
    const found = await Promise.all(names.map((name) => this.#read(name)));
    const records = found.filter((record) => record !== undefined);
    return records.sort((a, b) => a.view.created.localeCompare(b.view.created));
  }

  async #read(name: string): Promise<JobRecord | undefined> {
    try {
      const record = JSON.parse(await readFile(join(this.directory, name), 'utf8')) as JobRecord;
      return `${record.view.id}.json` === name ? record : undefined;
    } catch {
      return undefined;
    }
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
