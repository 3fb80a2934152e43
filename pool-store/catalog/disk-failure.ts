import { TacetError } from '../../proto/errors.js';

/** What a failure of the disk, or of a catalog on it, means for a store, or undefined for any other error. */
export function diskFailure(error: unknown): TacetError | undefined {
  const code = String((error as { code?: unknown } | null)?.code);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    const message = 'the disk of the store is full; nothing was changed';
    return new TacetError('store-full', message, { cause: error });
  }
  if (code.startsWith('SQLITE_BUSY')) {
    const message =
      'another process writes to the catalog of the store for so long that nothing was changed; try again, and see which ' +
      'command runs on its directory';
    return new TacetError('store-busy', message, { cause: error });
  }
  if (isDamage(error)) {
    const message = `the catalog is damaged (${(error as Error).message}); run tacet store verify`;
    return new TacetError('store-damaged', message, { cause: error });
  }
  return undefined;
}

/** Whether SQLite failed because of what is on disk. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(String((error as { code?: unknown } | null)?.code));
}
