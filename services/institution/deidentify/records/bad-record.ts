import { TacetError } from '../../../../proto/errors.js';

/** Whether an error is of a record itself, so that others can be gone on with. */
export function isBadRecord(error: unknown): error is TacetError {
  return (
    error instanceof TacetError &&
    ['record-invalid', 'record-unsupported', 'corpus-invalid'].includes(error.code)
  );
}
