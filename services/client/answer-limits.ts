import { constants } from 'node:buffer';
import { PATHS } from '../../proto/paths.js';

const MOST_JSON_BYTES = 64_000_000;
/** A list of three million segments has 200 MB; no pool writes a longer JSON text than one string of V8 holds. */
const MOST_SNAPSHOT_BYTES = constants.MAX_STRING_LENGTH;

/** What a client reads of the problem details of a server that refuses. */
export const MOST_PROBLEM_BYTES = 1_000_000;

/** Of the pages of a list, all together. */
export const MOST_LIST_BYTES = constants.MAX_STRING_LENGTH;

/** Of a thousand rows each. */
export const MOST_PAGES = 2000;

/** What a client reads of a JSON answer from this path, which it holds in memory as a whole. */
export function mostJsonBytes(path: string): number {
  return path.startsWith(PATHS.snapshots) ? MOST_SNAPSHOT_BYTES : MOST_JSON_BYTES;
}
