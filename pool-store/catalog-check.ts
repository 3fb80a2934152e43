import { TacetError } from '../proto/errors.js';
import type { LogHead } from '../proto/log-head.js';

const RESTORE =
  'restore the newest backup into a new directory with tacet store restore, or name an empty one to begin anew';

/** A directory of blobs without the catalog that says whose they are. */
export function catalogMissing(directory: string): TacetError {
  return new TacetError(
    'store-damaged',
    `${directory} holds blobs, and its catalog.db is missing or empty; nothing was changed. ` +
      `Put catalog.db and its catalog.db-wal back, or ${RESTORE}`,
  );
}

/** A catalog that is not the one which committed `kept`, or was it before. */
export function catalogOlder(directory: string, found: LogHead, kept: LogHead): TacetError {
  return new TacetError(
    'store-damaged',
    `${directory}/catalog.db ends at entry ${found.sequence} of its log and lacks entry ` +
      `${kept.sequence}, which was committed here: it is an older copy, or its catalog.db-wal is ` +
      'missing; nothing was changed. Put the newest catalog.db and its catalog.db-wal back, or make a ' +
      `store of what is left with tacet store restore --backup ${directory} --data NEW --log COPY`,
  );
}

/** A log that ends before `kept`, so that it does not tell what was withdrawn last. */
export function logOlder(directory: string, found: LogHead, kept: LogHead): TacetError {
  return new TacetError(
    'store-damaged',
    `${directory}/catalog.db ends at entry ${found.sequence} of its log and lacks entry ` +
      `${kept.sequence}, which was committed there: it is an older copy, its catalog.db-wal is missing, or the ` +
      'records have moved to PostgreSQL. What was withdrawn and revoked since stands elsewhere: put the newest catalog.db ' +
      'and its catalog.db-wal back, or give --log, a copy of the log as tacet log fetch writes it',
  );
}
