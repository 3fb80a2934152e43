import { TacetError } from '../../../../proto/errors.js';
import { PATHS } from '../../../../proto/paths.js';
import type { ServiceClient } from '../../../client/client.js';
import { type Checklist, requireFound, SERVER_ADVICE } from './checklist.js';
import type { PreflightOptions } from './preflight-options.js';

const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Looks at the pool that a contribution would go to, if there is one. */
export async function checkPool(
  checklist: Checklist,
  { pool, signal }: PreflightOptions,
): Promise<void> {
  if (!pool) {
    for (const name of ['pool reachable', 'clock', 'role of the token']) checklist.leaveOut(name);
    return;
  }
  const reachAdvice = { ...SERVER_ADVICE, otherwise: 'check the address of the pool' };
  const theirMs = await checklist.check('pool reachable', reachAdvice, async () => ({
    text: pool.url,
    value: await poolTime(pool.url, signal),
  }));
  const found = () => requireFound(theirMs, 'the pool gave no answer');
  const otherwise = 'set the clock of this machine, for example by NTP';
  await checklist.checkAlone('clock', { otherwise }, async () => compareClocks(found()));
  const roleAdvice = {
    ...SERVER_ADVICE,
    'rate-limited': 'wait a minute and try again',
    otherwise: 'ask the pool for a token of role institution',
  };
  await checklist.checkAlone('role of the token', roleAdvice, async () => {
    found();
    return requireContributor(pool.client, signal);
  });
}

/**
 * Asks the pool whether it is there; returns its time in milliseconds, NaN where it states none.
 * Throws `server-unreachable` or `server-failed`.
 */
async function poolTime(url: string, signal: AbortSignal | undefined): Promise<number> {
  const response = await fetch(`${url.replace(/\/+$/, '')}/livez`, {
    redirect: 'manual',
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw new TacetError('server-unreachable', `no answer from ${url}`, { cause });
  });
  if (!response.ok)
    throw new TacetError('server-failed', `${url} answers with status ${response.status}`);
  return Date.parse(response.headers.get('date') ?? '');
}

/** Compares this machine's clock with the pool's. */
function compareClocks(theirMs: number): string {
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
async function requireContributor(
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
