import { Ledger } from './ledger.js';
import { Outbox } from './outbox.js';

/** An institution's own directory: the ledger of releases, its key, and the outbox. */
export interface Home {
  readonly ledger: Ledger;
  readonly outbox: Outbox;
}

export interface HomeOptions {
  /** Makes the home where there is none, which is then a budget of its own. */
  readonly mayMake?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the home in `directory`, runs `work` on it and closes it. First, under the ledger's lock,
 * segments are deleted that a killed process left without their ledger rows. Throws as `Ledger.open`.
 */
export async function withHome<T>(
  directory: string,
  { mayMake = false, signal }: HomeOptions,
  work: (home: Home) => Promise<T>,
): Promise<T> {
  const ledger = await (mayMake
    ? Ledger.openOrMake(directory, signal)
    : Ledger.open(directory, signal));
  try {
    const outbox = await Outbox.open(directory);
    await ledger.exclusively(
      () => outbox.sweep(new Set(ledger.segments.pending().map(({ digest }) => digest))),
      signal,
    );
    return await work({ ledger, outbox });
  } finally {
    ledger.close();
  }
}
