import type { ProgressEvent } from '../../platform/progress.js';
import { systemFailure } from '../../platform/system-failure.js';
import { ERRORS, type ErrorCode, TacetError } from '../../proto/errors.js';
import type { ModelCalls } from './model-calls.js';

export type CallName = Exclude<keyof ModelCalls, 'setup'>;
export type InputOf<C extends CallName> = Parameters<ModelCalls[C]>[0];
export type OutputOf<C extends CallName> = Awaited<ReturnType<ModelCalls[C]>>;

/** To the thread of the models. */
export type ThreadRequest =
  | { readonly id: number; readonly call: CallName; readonly input: unknown }
  | { readonly id: number; readonly abort: SentError };

/** From it. */
export type ThreadAnswer =
  | { readonly id: number; readonly progress: ProgressEvent }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError };

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
