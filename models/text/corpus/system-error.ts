import { TacetError } from '../../../proto/errors.js';

/** An operating system's refusal to read as an expected failure; any other error unchanged. */
export function readFailure(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new TacetError('file-not-found', `${path}: there is no such file or directory`);
  return new TacetError('file-unreadable', `${path}: cannot be read (${code})`);
}

/** An operating system's refusal to write as an expected failure; any other error unchanged. */
export function writeFailure(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === 'EEXIST')
    return new TacetError('file-exists', `${path}: exists already; choose another place`);
  return new TacetError('file-unwritable', `${path}: cannot be written (${code})`);
}

/** `ENOENT` and the like. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || error instanceof TacetError) return undefined;
  return 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}
