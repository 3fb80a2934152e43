import { TacetError } from '../../../proto/errors.js';
import { PATHS } from '../../../proto/paths.js';
import type { ServiceClient } from '../../client/client.js';

const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Asks the pool whether it is there; returns its time in milliseconds, NaN where it states none.
 * Throws `server-unreachable` or `server-failed`.
 */
export async function poolTime(url: string, signal: AbortSignal | undefined): Promise<number> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/livez`, {
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw new TacetError('server-unreachable', `no answer from ${url}`, { cause });
  });
  if (!response.ok)
    throw new TacetError('server-failed', `${url} answers with status ${response.status}`);
  return Date.parse(response.headers.get('date') ?? '');
}

/** Compares this machine's clock with the pool's. */
export function compareClocks(theirMs: number): string {
  const differenceMs = Math.abs(Date.now() - theirMs);
  if (differenceMs <= MAX_CLOCK_DIFFERENCE_MS) return 'agrees with the pool within a minute';
  throw new TacetError(
    'request-invalid',
    Number.isNaN(differenceMs)
      ? 'the pool did not state its time'
      : `${Math.round(differenceMs / 1000)} seconds away from the pool's`,
  );
}

/** The pool looks at the role before it looks at the body, which is no contribution. */
export async function mayContribute(
  pool: ServiceClient,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    await pool.json('POST', PATHS.contributions, {}, { signal });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'request-invalid' && code !== 'contribution-invalid') throw error;
  }
  return 'the token may contribute';
}
