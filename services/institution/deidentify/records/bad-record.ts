import { type ErrorCode, TacetError } from '../../../../proto/errors.js';

const BAD: ReadonlySet<ErrorCode> = new Set([
  'record-invalid',
  'record-unsupported',
  'corpus-invalid',
  'file-unreadable',
  'file-not-found',
]);

/** Whether an error is of a record itself or of its file, so that others can be gone on with. */
export function isBadRecord(error: unknown): error is TacetError {
  return error instanceof TacetError && BAD.has(error.code);
}
