import { type ErrorCode, TacetError } from '../../proto/errors.js';

const AWAY: ReadonlySet<ErrorCode> = new Set([
  'catalog-unreachable',
  'outcome-unknown',
  'store-version',
  'store-unavailable',
  'bucket-missing',
  'bucket-denied',
  'clock-wrong',
]);

/** Whether a store, of blobs or of records, could not be asked: what it would have said is not known. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof TacetError && AWAY.has(error.code);
}
