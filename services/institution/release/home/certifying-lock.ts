import { setTimeout as delay } from 'node:timers/promises';
import { lockFolder } from '../../../../platform/files/folder-lock.js';
import { TacetError } from '../../../../proto/errors.js';

/** A file of a home; an empty database of SQLite. */
export const CERTIFYING_LOCK = 'certifying.lock';
const RETRY_MS = 50;

/**
 * Runs `work` while no other job certifies in `home`, waiting until none does: what a certificate counts as spent is what
 * was spent when its last segment leaves. Throws what `work` throws, and as `lockFolder` but for `run-busy`.
 */
export async function certifyingAlone<T>(
  home: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const letGo = await taken(home, signal);
  try {
    return await work();
  } finally {
    letGo();
  }
}

async function taken(home: string, signal: AbortSignal | undefined): Promise<() => void> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return lockFolder(home, CERTIFYING_LOCK);
    } catch (error) {
      if (!(error instanceof TacetError) || error.code !== 'run-busy') throw error;
    }
    await delay(RETRY_MS);
  }
}
