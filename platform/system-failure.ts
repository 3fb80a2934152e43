/** What the operating system and SQLite refuse, as expected failures: one table for all of the program. */
import { type ErrorCode, TacetError } from '../proto/errors.js';

interface Refusal {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly advice: string;
}

const FULL: Refusal = {
  code: 'disk-full',
  reason: 'the disk is full',
  advice: 'make room, then repeat the command, with --resume where it has that option',
};
const READ_ONLY: Refusal = {
  code: 'file-unwritable',
  reason: 'the file system is read-only',
  advice: 'choose another place',
};
const FAILED: Refusal = {
  code: 'disk-failed',
  reason: 'the disk could not be read or written',
  advice: 'check the disk and the log of the system, then repeat the command',
};
const DENIED: Refusal = {
  code: 'file-denied',
  reason: 'this user may not',
  advice: 'give this user the right to it, or choose another place',
};
const TOO_MANY: Refusal = {
  code: 'too-many-files',
  reason: 'too many files are open',
  advice: 'raise the limit (ulimit -n), then repeat the command',
};
const EXISTS: Refusal = {
  code: 'file-exists',
  reason: 'exists already',
  advice: 'choose another place',
};
const MISSING: Refusal = {
  code: 'file-not-found',
  reason: 'there is no such file or directory',
  advice: 'check the path',
};
const NO_FILE: Refusal = {
  code: 'file-unreadable',
  reason: 'cannot be read as a file',
  advice: 'check the path',
};
const NO_PLACE: Refusal = {
  code: 'file-not-found',
  reason: 'the working directory is no longer there',
  advice: 'change to a directory that is there (cd), then repeat the command',
};

/** By the system's own names (errno(3)) and SQLite's (sqlite.org/rescode.html), the primary ones. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  ENOSPC: FULL,
  EDQUOT: { ...FULL, reason: "this user's quota of the disk is used up" },
  SQLITE_FULL: FULL,
  EROFS: READ_ONLY,
  SQLITE_READONLY: { ...READ_ONLY, reason: 'the file, or its file system, is read-only' },
  SQLITE_CANTOPEN: { ...READ_ONLY, reason: 'the file can be neither opened nor made' },
  EIO: FAILED,
  SQLITE_IOERR: FAILED,
  EACCES: DENIED,
  EPERM: DENIED,
  SQLITE_PERM: DENIED,
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  EEXIST: EXISTS,
  ENOTEMPTY: EXISTS,
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EISDIR: NO_FILE,
  ELOOP: NO_FILE,
  ENAMETOOLONG: NO_FILE,
};

/** What libuv calls the question for the working directory. */
const ASKED_WHERE = 'uv_cwd';

/** Refusals of a network, which have the same names. */
const NETWORK: ReadonlySet<string> = new Set([
  'listen',
  'bind',
  'connect',
  'accept',
  'getaddrinfo',
]);

interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
}

/** `where` names the place to people; without it, the path that the system itself named. */
export function systemFailure(error: unknown, where?: string): TacetError | undefined {
  const name = refusalName(error);
  const refusal = name && REFUSALS[name];
  if (!refusal) return undefined;
  const { path, syscall } = error as SystemError;
  if (syscall === ASKED_WHERE && name === 'ENOENT')
    return new TacetError(NO_PLACE.code, `${NO_PLACE.reason}; ${NO_PLACE.advice}`, {
      cause: error,
    });
  const place = where ?? (typeof path === 'string' ? path : undefined);
  const message = `${refusal.reason} (${name}); ${refusal.advice}`;
  return new TacetError(refusal.code, place === undefined ? message : `${place}: ${message}`, {
    cause: error,
  });
}

/** What a server's own machine lacks, as opposed to what its caller asked for; names no path. */
export function machineFailure(error: unknown): TacetError | undefined {
  const name = refusalName(error);
  const refusal = name && REFUSALS[name];
  if (!refusal || !OF_THE_MACHINE.has(refusal.code)) return undefined;
  return new TacetError(refusal.code, `${refusal.reason} (${name})`, { cause: error });
}

const OF_THE_MACHINE: ReadonlySet<ErrorCode> = new Set([
  FULL.code,
  READ_ONLY.code,
  FAILED.code,
  TOO_MANY.code,
]);

function refusalName(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || error instanceof TacetError) return undefined;
  const { code, syscall } = error as SystemError;
  if (typeof code !== 'string') return undefined;
  // Extended codes begin with the primary one: SQLITE_IOERR_WRITE.
  if (code.startsWith('SQLITE_')) return code.split('_', 2).join('_');
  // So Node's recursive mkdir reports a read-only file system: it makes whatever else is missing.
  if (code === 'ENOENT' && syscall === 'mkdir') return 'EROFS';
  const isOfFiles = typeof syscall === 'string' && !NETWORK.has(syscall);
  return isOfFiles ? code : undefined;
}
