import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { requireRegularFile } from '../../platform/files/regular-file.js';
import { readFailure } from '../../platform/system-error.js';
import { TacetError } from '../../proto/errors.js';

/** Health records, which are written in the format in which they are read. */
export const RECORD_FORMATS = ['fhir', 'cda'] as const;

export type RecordFormat = (typeof RECORD_FORMATS)[number];

/** Told of a folder below the input that cannot be listed, or of what is no file that can be read. */
export type OnUnlistable = (error: TacetError, name: string) => void;

const EXTENSIONS: Readonly<Record<RecordFormat, RegExp>> = {
  fhir: /\.(json|ndjson|jsonl)(\.gz)?$/i,
  cda: /\.(xml|cda)(\.gz)?$/i,
};

/** Whether a file of that name is looked at where its folder is read. */
export function namesRecords(format: RecordFormat): (name: string) => boolean {
  return (name) => EXTENSIONS[format].test(name);
}

/**
 * Names from the input, in their order; of a single file an empty one. A folder below it that cannot be listed, a pipe, a
 * socket or a device ends it, unless `onUnlistable` is told. Throws `record-invalid` where there is none, and `file-not-found`, `file-unreadable`.
 */
export async function recordFiles(
  input: string,
  format: RecordFormat,
  onUnlistable?: OnUnlistable,
): Promise<string[]> {
  let isAllListed = true;
  const names: string[] = [];
  const add = async (folder: string, ancestors: ReadonlySet<string>): Promise<void> => {
    const real = await realpath(path.join(input, folder));
    if (ancestors.has(real)) return;
    for (const entry of await readdir(real, { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      const place = path.join(input, name);
      const holdsFiles = await isFolder(entry, place);
      if (!holdsFiles && !namesRecords(format)(name)) continue;
      try {
        if (holdsFiles) await add(name, new Set([...ancestors, real]));
        else {
          await requireRegularFile(place);
          names.push(name);
        }
      } catch (error) {
        const failure = readFailure(error, place);
        if (!onUnlistable || !(failure instanceof TacetError)) throw failure;
        isAllListed = false;
        onUnlistable(failure, name);
      }
    }
  };
  try {
    if (!(await stat(input)).isDirectory()) return [''];
    await add('', new Set());
  } catch (error) {
    throw readFailure(error, input);
  }
  if (names.length > 0 || !isAllListed) return names.sort();
  const expected = format === 'cda' ? '.xml' : '.json or .ndjson';
  throw new TacetError(
    'record-invalid',
    `${input}: there are no records of ${format}; expected files that end in ${expected}`,
  );
}

/** A link that leads nowhere is a file that cannot be read. */
async function isFolder(entry: Dirent, place: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
