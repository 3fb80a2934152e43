import type { Logger } from 'pino';
import { failurePlaces } from '../../platform/failure-places.js';
import { machineFailure } from '../../platform/system-failure.js';
import { diskFailure } from '../../pool-store/catalog/disk-failure.js';
import { type ErrorCode, TacetError } from '../../proto/errors.js';

/** Makes any failure one that may be shown, and logs what the log of a service may hold of it. */
export type Explain = (error: unknown) => TacetError;

/** What an operator has to look at, on this machine, in its store or in the program. */
const LOGGED = new Set<ErrorCode>([
  'internal',
  'store-version',
  'store-damaged',
  'store-full',
  'disk-full',
  'disk-failed',
  'file-unwritable',
  'too-many-files',
]);

/** What happens elsewhere, in another process or on another machine, to each request while it lasts: where in the program it was met says nothing. */
const ELSEWHERE = new Set<ErrorCode>([
  'catalog-unreachable',
  'outcome-unknown',
  'store-unavailable',
  'bucket-missing',
  'bucket-denied',
  'bucket-unsuitable',
  'clock-wrong',
  'store-busy',
]);

/** Logs failures of the machine and of the program with their messages. */
export function explainInFull(logger: Logger): Explain {
  return (error) => {
    const expected = expectedError(error);
    const { code, message } = expected;
    if (ELSEWHERE.has(code))
      logger.error({ code, reason: message, cause: causeOf(expected) }, 'failed');
    else if (LOGGED.has(code)) logger.error({ code, stack: stackOf(error) }, 'failed');
    return expected;
  };
}

/** Logs where the program failed and no message: that could hold text of a note, a place cannot. */
export function explainByPlace(logger: Logger): Explain {
  return (error) => {
    const expected = expectedError(error);
    if (expected.code === 'internal')
      logger.error({ places: failurePlaces(error) }, 'unexpected failure');
    return expected;
  };
}

/** The code of the system, of the database or of the network, where there is one. */
function causeOf({ cause }: Error): string | undefined {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The error as the table knows it. */
function expectedError(error: unknown): TacetError {
  if (error instanceof TacetError) return error;
  const { type, status } = error as { type?: string; status?: number };
  const failure = diskFailure(error) ?? machineFailure(error);
  if (failure) return failure;
  if (type === 'entity.too.large') {
    return new TacetError('body-too-large', 'the body is larger than this route takes');
  }
  if (status === 416) return new TacetError('range-invalid', 'the range lies outside the blob');
  if (status !== undefined && status >= 400 && status < 500) {
    return new TacetError('request-invalid', CLIENT_FAULTS[type ?? ''] ?? 'it cannot be read');
  }
  return new TacetError('internal', 'the server failed; its log says why');
}

/** Failures of Express's body reader, by its own names for them. */
const CLIENT_FAULTS: Readonly<Record<string, string>> = {
  'encoding.unsupported': 'the body is compressed; send it as it is',
  'charset.unsupported': 'the body is not in UTF-8',
  'request.aborted': 'the body breaks off',
  'request.size.invalid': 'the body has another length than stated',
};
