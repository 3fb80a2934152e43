import { Ledger } from './ledger.js';
import { Outbox } from './outbox.js';

/** An institution's own directory: the ledger of releases, its key, and the outbox. */
export interface Home {
  readonly ledger: Ledger;
  readonly outbox: Outbox;
}

/**
 * Opens `directory`, made on first use, runs `work` on it and closes it. First, under the ledger's
 * lock, segments are deleted that a killed process left without their ledger rows.
 */
export async function withHome<T>(
  directory: string,
  signal: AbortSignal | undefined,
  work: (home: Home) => Promise<T>,
): Promise<T> {
  const ledger = await Ledger.open(directory, signal);
  try {
    const outbox = await Outbox.open(directory);
    await ledger.exclusively(
      () => outbox.sweep(new Set(ledger.pendingSegments().map(({ digest }) => digest))),
      signal,
    );
    return await work({ ledger, outbox });
  } finally {
    ledger.close();
  }
}
