import { TacetError } from '../../../proto/errors.js';

/** An operating system's refusal to read as an expected failure; any other error unchanged. */
export function readFailure(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new TacetError('file-not-found', `${path}: there is no such file or directory`);
  return new TacetError('file-unreadable', `${path}: cannot be read (${code})`);
}

/** No space on the device, none left of the user's quota. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  // What a recursive mkdir says on a read-only file system.
  ENOENT: 'a folder on the way cannot be made; is the file system read-only?',
  ENOTDIR: 'a file is where a folder would have to be',
};

/**
 * An operating system's refusal to write as an expected failure: `disk-full`, `file-exists` or
 * `file-unwritable`; any other error unchanged.
 */
export function writeFailure(
  error: unknown,
  path: string,
  advice = 'choose another place',
): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === 'EEXIST')
    return new TacetError('file-exists', `${path}: exists already; choose another place`);
  if (FULL.has(code)) return diskFull(path, error);
  const reason = REASONS[code];
  return new TacetError(
    'file-unwritable',
    `${path}: cannot be written${reason ? `: ${reason}` : ''} (${code}); ${advice}`,
    { cause: error },
  );
}

/** That there was no room to write at `path`. */
export function diskFull(path: string, cause: unknown): TacetError {
  return new TacetError(
    'disk-full',
    `${path}: cannot be written, since the disk is full; make room, then repeat the command, with --resume where it has that option`,
    { cause },
  );
}

/** `ENOENT` and the like. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || error instanceof TacetError) return undefined;
  return 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}
