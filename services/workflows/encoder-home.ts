import type { Document } from '../../models/text/document.js';
import { defaultHome } from '../../platform/user-folders.js';
import { TacetError } from '../../proto/errors.js';
import type { Policy } from '../institution/approval/policy.js';
import { requireApart, requireNew } from '../institution/release/home/home.js';
import { Ledger } from '../institution/release/ledger/ledger.js';
import type { Context } from './context.js';

/** Which home was named. */
export interface NamedHome {
  /** One that is there. */
  readonly home?: string | undefined;
  /** One that is made; of the workflows that may make one. */
  readonly newHome?: string | undefined;
}

/** What is to be encoded. */
export interface NamedNotes {
  /** Notes at hand, or a file or directory of a corpus. */
  readonly input?: readonly Document[] | string | undefined;
}

export interface HomeChoice {
  readonly directory: string;
  /** Whether it is made where there is none. */
  readonly mayMake: boolean;
}

/** The home that was named, or that of whoever names none. Throws `home-missing`. */
export async function existingHome({
  home = defaultHome(),
}: Pick<NamedHome, 'home'>): Promise<string> {
  (await Ledger.open(home)).close();
  return home;
}

/**
 * As `existingHome`, but a home is made where `newHome` names one, or where none was named. Says so,
 * since whoever meant another home must know. None is made under a policy that pins a ledger. Throws
 * `file-exists` for a new home that has released, and `conflict` where home and notes lie in one another.
 */
export async function homeToEncodeIn(
  { home, newHome, input }: NamedHome & NamedNotes,
  policy: Pick<Policy, 'ledger'> | undefined,
  { say, signal }: Pick<Context, 'say' | 'signal'>,
): Promise<HomeChoice> {
  if (home !== undefined && newHome !== undefined)
    throw new TacetError('usage', 'give --home or --new-home, one of the two');
  const directory = home ?? newHome ?? defaultHome();
  if (typeof input === 'string') requireApart(directory, input);
  const mayMake = home === undefined && policy?.ledger === undefined;
  if (!mayMake) await existingHome({ home: directory });
  if (newHome !== undefined) await requireNew(newHome, signal);
  if (!(await Ledger.isUsed(directory, signal)))
    say(
      `${directory}: a new ledger: nothing counts as released yet; for notes that were encoded before, ` +
        'give the home that they were encoded in',
    );
  return { directory, mayMake };
}
