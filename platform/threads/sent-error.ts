import { ERRORS, type ErrorCode, TacetError } from '../../proto/errors.js';
import { systemFailure } from '../system-failure.js';

/** An error as it crosses from one thread to another: structured cloning drops classes and codes. */
export interface SentError {
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
}

export function sentError(cause: unknown): SentError {
  // Whoever receives it could not tell a system's refusal from any error with a code.
  const error = systemFailure(cause) ?? cause;
  if (!(error instanceof Error))
    return { message: String(error), code: undefined, stack: undefined };
  const { code } = error as { readonly code?: unknown };
  const { message, stack } = error;
  return { message, code: typeof code === 'string' ? code : undefined, stack };
}

/** A `TacetError` where it was one; else an error with the code and stack that it had. */
export function receivedError({ message, code, stack }: SentError): Error {
  if (code !== undefined && Object.hasOwn(ERRORS, code))
    return new TacetError(code as ErrorCode, message);
  return Object.assign(new Error(message), { ...(code && { code }), ...(stack && { stack }) });
}
