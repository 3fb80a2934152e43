import { type ErrorCode, TacetError } from '../../../proto/errors.js';
import { systemFailure } from '../../../proto/system-failure.js';

const OF_READING: ReadonlySet<ErrorCode> = new Set([
  'file-not-found',
  'disk-failed',
  'too-many-files',
]);
const OF_WRITING: ReadonlySet<ErrorCode> = new Set([
  'file-exists',
  'file-unwritable',
  'disk-full',
  'disk-failed',
  'too-many-files',
]);

/** An operating system's refusal to read as an expected failure; any other error unchanged. */
export function readFailure(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const failure = systemFailure(error, path);
  if (failure && OF_READING.has(failure.code)) return failure;
  return new TacetError('file-unreadable', `${path}: cannot be read (${code})`);
}

/** An operating system's refusal to write as an expected failure; any other error unchanged. */
export function writeFailure(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const failure = systemFailure(error, path);
  if (failure && OF_WRITING.has(failure.code)) return failure;
  return new TacetError('file-unwritable', `${path}: cannot be written (${code})`);
}

/** `ENOENT` and the like. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || error instanceof TacetError) return undefined;
  return 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}
