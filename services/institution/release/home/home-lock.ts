import { setTimeout as delay } from 'node:timers/promises';
import { lockFolder } from '../../../../platform/files/folder-lock.js';
import { TacetError } from '../../../../proto/errors.js';

/** Files of a home, empty databases of SQLite: who certifies takes the one, who contributes the other. */
export const CERTIFYING_LOCK = 'certifying.lock';
export const CONTRIBUTING_LOCK = 'contributing.lock';
const RETRY_MS = 50;

/** Runs `work` while nobody else holds `lock` in `home`, waiting until so. Throws what `work` throws, and as `lockFolder` but for `run-busy`. */
export async function aloneIn<T>(
  home: string,
  lock: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const letGo = await taken(home, lock, signal);
  try {
    return await work();
  } finally {
    letGo();
  }
}

async function taken(
  home: string,
  lock: string,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return lockFolder(home, lock);
    } catch (error) {
      if (!(error instanceof TacetError) || error.code !== 'run-busy') throw error;
    }
    await delay(RETRY_MS);
  }
}
