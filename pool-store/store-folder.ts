import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { liesIn } from '../platform/files/lies-in.js';
import { TacetError } from '../proto/errors.js';

/** One of these is in the folder of every store, or of what was left of it. */
const OWN: readonly string[] = [
  'catalog.db',
  'blobs',
  'uploads',
  'blobs-place',
  'copied-from',
  'serve.lock',
];
/** At the root of a disk of its own. */
const OF_THE_DISK = 'lost+found';

const EXPECTED = 'give the data directory of a server, or an empty or new one to begin a store in';

/** Whether a store is in the folder, or what was left of one. Throws `conflict` where it is a file. */
export function holdsStore(directory: string): boolean {
  return filesIn(directory).some((name) => OWN.includes(name));
}

/** Sees that a store is not begun among files of something else, such as notes. Throws `conflict`. */
export function requireStoreOrNothing(directory: string): void {
  if (holdsStore(directory)) return;
  const others = filesIn(directory).filter((name) => !name.startsWith('.') && name !== OF_THE_DISK);
  if (others.length === 0) return;
  throw new TacetError(
    'conflict',
    `${directory}: holds ${others.length} other files and no store; ${EXPECTED}`,
  );
}

/** Sees that what is written to `target` does not lie in the store itself. Throws `conflict`. */
export function requireOutside(directory: string, target: string): void {
  if (!liesIn(directory, target)) return;
  throw new TacetError(
    'conflict',
    `${target} lies in the store ${directory} itself; name a place outside of it, best on another disk`,
  );
}

function filesIn(directory: string): string[] {
  // What is joined to `missing/../notes` lies in `notes`, where the path as it stands leads nowhere.
  const place = resolve(directory);
  if (!existsSync(place)) return [];
  if (statSync(place).isDirectory()) return readdirSync(place);
  throw new TacetError('conflict', `${directory}: is a file; ${EXPECTED}`);
}
