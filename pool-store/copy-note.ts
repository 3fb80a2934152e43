import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../platform/files/draft-file.js';
import { TacetError } from '../proto/errors.js';

const FILE = 'copied-from';

/** What a directory was copied from, noted there before the first byte; it holds no secret. */
export interface CopyNote {
  /** The hash of the first entry of the source's log; empty where it had none. */
  readonly source: string;
  /** The address of the database that is copied into; null for `catalog.db`. */
  readonly catalog: string | null;
  /** `disk`, or the address of the bucket that is copied into. */
  readonly blobs: string;
  readonly state: 'begun' | 'whole';
}

/** Undefined where nothing was copied there. Throws `file-unreadable`. */
export function copyNoteIn(directory: string): CopyNote | undefined {
  const path = join(directory, FILE);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new TacetError('file-unreadable', `${path} is no note of a copy`, { cause });
  }
}

export function noteCopy(directory: string, note: CopyNote): Promise<void> {
  return writeAtomically(join(directory, FILE), `${JSON.stringify(note)}\n`, { isPrivate: true });
}

/** Sees that nobody serves half a copy. Throws `store-damaged`. */
export function requireNoHalfCopy(directory: string): void {
  if (copyNoteIn(directory)?.state !== 'begun') return;
  throw new TacetError(
    'store-damaged',
    `${directory} holds a copy of a store that was begun and not ended; call tacet store copy FROM ${directory} again, ` +
      'which goes on with it, or name another directory',
  );
}
