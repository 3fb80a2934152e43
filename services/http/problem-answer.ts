import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { diskFailure } from '../../platform/files/disk-failure.js';
import { machineFailure } from '../../platform/system-failure.js';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { PROBLEM_TYPE, problemOf } from '../../proto/problem.js';

/** Answers every error as problem details; what was not expected is logged and not shown. */
export function answerProblem(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const expected = expectedError(error);
    if (LOGGED.has(expected.code))
      logger.error({ code: expected.code, stack: stackOf(error) }, 'failed');
    // An answer under way cannot change its status: cutting it off is the only way to say so.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const problem = problemOf(expected);
    noteProblem(response, problem.code);
    response.status(problem.status).type(PROBLEM_TYPE).send(JSON.stringify(problem));
  };
}

/** The code of the problem that each response was answered with, for the log and the metrics. */
const codes = new WeakMap<object, ErrorCode>();

export function noteProblem(response: object, code: ErrorCode): void {
  codes.set(response, code);
}

export function problemCodeOf(response: object): ErrorCode | undefined {
  return codes.get(response);
}

/** What an operator has to look at. */
const LOGGED = new Set<ErrorCode>([
  'internal',
  'store-damaged',
  'store-full',
  'disk-full',
  'disk-failed',
  'file-unwritable',
  'too-many-files',
]);

export const answerNotFound: RequestHandler = () => {
  throw new TacetError('not-found', 'there is no such route; see /openapi.json');
};

/** The error as the table knows it. */
export function expectedError(error: unknown): TacetError {
  if (error instanceof TacetError) return error;
  const { type, status } = error as { type?: string; status?: number };
  const failure = diskFailure(error);
  if (failure) return failure;
  const lacking = machineFailure(error);
  if (lacking) return lacking;
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
  'entity.parse.failed': 'the body is not JSON',
  'encoding.unsupported': 'the body is compressed; send it as it is',
  'charset.unsupported': 'the body is not in UTF-8',
  'request.aborted': 'the body breaks off',
  'request.size.invalid': 'the body has another length than stated',
};

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
