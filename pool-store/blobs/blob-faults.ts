import { type ErrorCode, TacetError } from '../../proto/errors.js';

const AWAY: ReadonlySet<ErrorCode> = new Set([
  'store-unavailable',
  'bucket-missing',
  'bucket-denied',
  'clock-wrong',
]);

/** Whether a store of blobs could not be asked: what it would have said is not known. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof TacetError && AWAY.has(error.code);
}
