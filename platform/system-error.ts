import { type ErrorCode, TacetError } from '../proto/errors.js';
import { systemFailure } from './system-failure.js';

const OF_READING: ReadonlySet<ErrorCode> = new Set([
  'file-not-found',
  'disk-failed',
  'too-many-files',
]);
const OF_WRITING: ReadonlySet<ErrorCode> = new Set([
  'file-exists',
  'disk-full',
  'disk-failed',
  'too-many-files',
]);

/** Why a place cannot be written to, whoever asks. */
const UNWRITABLE: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  // What a recursive mkdir says on a read-only file system.
  ENOENT: 'its folder is missing and cannot be made, or the file system is read-only',
  ENOTDIR: 'a file is where a folder would have to be',
};

/** An operating system's refusal to read as an expected failure; any other error unchanged. */
export function readFailure(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const failure = systemFailure(error, path);
  if (failure && OF_READING.has(failure.code)) return failure;
  return new TacetError('file-unreadable', `${path}: cannot be read (${code})`);
}

/**
 * An operating system's refusal to write as an expected failure: `disk-full`, `file-exists`,
 * `file-unwritable` and the like; any other error unchanged.
 */
export function writeFailure(
  error: unknown,
  path: string,
  advice = 'choose another place',
): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const failure = systemFailure(error, path);
  if (failure && OF_WRITING.has(failure.code)) return failure;
  const reason = UNWRITABLE[code];
  return new TacetError(
    'file-unwritable',
    `${path}: cannot be written${reason ? `: ${reason}` : ''} (${code}); ${advice}`,
    { cause: error },
  );
}

/** `ENOENT` and the like. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || error instanceof TacetError) return undefined;
  return 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}
