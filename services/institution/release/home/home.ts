import { liesIn } from '../../../../platform/files/lies-in.js';
import { TacetError } from '../../../../proto/errors.js';
import { Ledger } from '../ledger/ledger.js';
import { MadeHome } from './made-home.js';
import { Outbox } from './outbox.js';
import { makeState } from './state-folder.js';

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
 * segments are deleted that a killed process left without their ledger rows. A home that it made goes again where `work`
 * fails before anything is recorded. Throws as `Ledger.open` and, where it may make the home, `makeState`.
 */
export async function withHome<T>(
  directory: string,
  { mayMake = false, signal }: HomeOptions,
  work: (home: Home) => Promise<T>,
): Promise<T> {
  const made = mayMake ? await MadeHome.before(directory) : undefined;
  const ledger = await (mayMake ? openOrMake(directory, signal) : Ledger.open(directory, signal));
  try {
    const outbox = await Outbox.open(directory);
    await ledger.exclusively(
      () => outbox.sweep(new Set(ledger.segments.pending().map(({ digest }) => digest))),
      signal,
    );
    return await work({ ledger, outbox });
  } catch (error) {
    // Why `work` failed matters more than what stays.
    if (made) await takeBack(made, ledger).catch(() => undefined);
    throw error;
  } finally {
    ledger.close();
  }
}

async function takeBack(made: MadeHome, ledger: Ledger): Promise<void> {
  if (!ledger.holdsNothing()) return;
  ledger.close();
  await made.takeBack(ledger.id);
}

/** Throws `file-exists` where `directory`, which is to be a new home, has released sentences. */
export async function requireNew(directory: string, signal?: AbortSignal): Promise<void> {
  if (!(await Ledger.isUsed(directory, signal))) return;
  throw new TacetError(
    'file-exists',
    `${directory}: a home that has released sentences; give it as --home, or name another place`,
  );
}

/** Sees that ledger, key and segments do not lie among notes, nor notes among them. Throws `conflict`. */
export function requireApart(home: string, notes: string): void {
  const isAmongNotes = liesIn(notes, home);
  if (!isAmongNotes && !liesIn(home, notes)) return;
  const what = isAmongNotes
    ? `the home ${home} lies in the notes ${notes}`
    : `the notes ${notes} lie in the home ${home}`;
  throw new TacetError(
    'conflict',
    `${what}; name a home outside of them that holds no notes. One that is there may be moved, as a whole`,
  );
}

/** Makes a home where there is none. Throws as `withHome`. */
export async function makeHome(directory: string, signal?: AbortSignal): Promise<void> {
  (await openOrMake(directory, signal)).close();
}

/** Begins no home of which this machine could not remember how far it has come. */
async function openOrMake(directory: string, signal: AbortSignal | undefined): Promise<Ledger> {
  await makeState();
  return Ledger.openOrMake(directory, signal);
}
