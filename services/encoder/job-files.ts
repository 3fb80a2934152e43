import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { corpusFiles } from '../../models/text/corpus/corpus-files.js';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { makeFolders } from '../../platform/files/make-folders.js';
import { requireRegularFile } from '../../platform/files/regular-file.js';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { jsonCheck } from '../../proto/json-check.js';
import { TIME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { nullable, oneOf } from '../../proto/typed-schema.js';
import { JOB_STATES, type JobView } from './jobs.js';

/** What a restart must know of a job. */
export interface JobRecord {
  /** As it was when it was written: waiting, or ended. */
  readonly view: JobView;
  /**
   * Below the input directory; null for documents, which lived in the process alone, and once the job
   * has ended.
   */
  readonly input: string | null;
  readonly dryRun: boolean;
  /** As of `EncodeOptions`; left out by versions that knew of one alone. */
  readonly copies?: number | undefined;
  /** Types whose entities are kept; left out by versions that knew of none. */
  readonly keep?: readonly string[] | undefined;
  /** As of `EncodeOptions`; left out by versions that did not ask. */
  readonly withoutPhi?: boolean | undefined;
}

const NAME = /^([0-9a-f-]{36})\.json$/;

/** What a restart goes by. What it only shows, such as a report, may be of any version. */
const fits = jsonCheck<JobRecord>(
  Type.Object({
    view: Type.Object({
      id: Type.String(),
      state: oneOf(JOB_STATES),
      created: TIME,
      ended: nullable(TIME),
    }),
    input: nullable(Type.String()),
    dryRun: Type.Boolean(),
    copies: Type.Optional(Type.Integer({ minimum: 1 })),
    keep: Type.Optional(Type.Array(Type.String())),
    withoutPhi: Type.Optional(Type.Boolean()),
  }),
);

/**
 * The jobs of an encoder, a file each, so that a restart finds them again. They hold counts, the
 * path of an input until the job has ended, and no text.
 */
export class JobFiles {
  private constructor(private readonly directory: string) {}

  static async open(home: string): Promise<JobFiles> {
    const directory = join(home, 'jobs');
    makeFolders(directory, 0o700);
    return new JobFiles(directory);
  }

  /** Writes a record, in the place of an earlier one of the same job. */
  async put(record: JobRecord): Promise<void> {
    const file = join(this.directory, `${record.view.id}.json`);
    await writeAtomically(file, JSON.stringify(record), { isPrivate: true });
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
      const record: unknown = JSON.parse(await readFile(join(this.directory, name), 'utf8'));
      return fits(record) && `${record.view.id}.json` === name ? record : undefined;
    } catch {
      return undefined;
    }
  }
}

/**
 * The file or directory `input` below `root`. Throws `not-found` for all that lies elsewhere, also
 * where a link below a directory leads there, and `file-unreadable`; no message has a path.
 */
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
  if (!isBelow(base, target)) throw missing;
  try {
    if ((await stat(target)).isDirectory()) await requireLinksBelow(base, target, new Set());
    else await requireHalvesBelow(base, target);
  } catch (error) {
    if (error instanceof TacetError && error.code === 'not-found') throw error;
    // Its message has a path.
    throw unreadable('file-unreadable');
  }
  return target;
}

/** Follows links as the reading of a corpus does, which passes over hidden files. */
async function requireLinksBelow(base: string, path: string, seen: Set<string>): Promise<void> {
  if (seen.has(path) || !(await stat(path)).isDirectory()) return;
  seen.add(path);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory() || entry.isSymbolicLink())
      await requireLinksBelow(base, await linkedFrom(base, path, entry), seen);
  }
}

/** The text and the annotations of a brat document are two files. */
async function requireHalvesBelow(base: string, file: string): Promise<void> {
  await requireRegularFile(file);
  for await (const { path, annotations = path } of corpusFiles(file))
    for (const half of [path, annotations]) await requireRegularFile(await linkedTo(base, half));
}

function linkedFrom(base: string, directory: string, entry: Dirent): Promise<string> {
  const path = join(directory, entry.name);
  return entry.isSymbolicLink() ? linkedTo(base, path) : Promise.resolve(path);
}

async function linkedTo(base: string, path: string): Promise<string> {
  const target = await realpath(path).catch(() => undefined);
  if (target !== undefined && isBelow(base, target)) return target;
  throw new TacetError(
    'not-found',
    'a link in the input leads out of the input directory, or nowhere; remove it, or put what it ' +
      'leads to in its place',
  );
}

function isBelow(base: string, target: string): boolean {
  const path = relative(base, target);
  return path !== '..' && !path.startsWith(`..${sep}`);
}

/**
 * The failure of a job over the files at `input`, with the number of a file, in order of their names
 * and from 1, where its message had a path, and `the input` for that of all: a file, or a folder, may be called
 * after a patient.
 */
export async function withoutNames(error: unknown, input: string): Promise<unknown> {
  if (!(error instanceof TacetError) || !error.message.includes(input)) return error;
  let { message } = error;
  let number = 0;
  try {
    for await (const { path, annotations } of corpusFiles(input)) {
      number++;
      for (const name of [annotations, path])
        if (name !== undefined) message = message.replaceAll(`${name}:`, `file ${number}:`);
    }
  } catch {
    // What cannot be listed has no number.
  }
  message = message.replaceAll(`${input}:`, 'the input:');
  if (!message.includes(input)) return new TacetError(error.code, message);
  return unreadable(error.code);
}

function unreadable(code: ErrorCode): TacetError {
  return new TacetError(code, 'the input cannot be read; `tacet corpus check` says where');
}
