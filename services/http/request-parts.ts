import type { Request, Response } from 'express';
import { TacetError } from '../../proto/errors.js';

const PARAMETER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** A path with its parameters in braces, as Express writes it. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Throws `not-found` for a parameter that nothing can be named. */
export function checkedParameters(
  params: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (typeof value === 'string' && PARAMETER.test(value)) return [name, value];
      throw new TacetError('not-found', `the path names no ${name}`);
    }),
  );
}

/** Aborted where the client goes away before its answer. */
export function departureOf(response: Response): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!response.writableFinished)
      controller.abort(new TacetError('interrupted', 'the client went away'));
  };
  // It may have gone while its token was looked up.
  if (response.closed) leave();
  else response.once('close', leave);
  return controller.signal;
}

/** However long the answer is worked on, nothing moves on the connection meanwhile. */
export async function withoutIdleLimit<T>({ socket }: Request, work: () => Promise<T>): Promise<T> {
  const { timeout = 0 } = socket;
  socket.setTimeout(0);
  try {
    return await work();
  } finally {
    socket.setTimeout(timeout);
  }
}
