import { statfs } from 'node:fs/promises';
import { tryFolder, writableFolder } from '../../../../platform/files/writable-folder.js';
import { systemCode } from '../../../../platform/system-error.js';
import { TacetError } from '../../../../proto/errors.js';
import { requireLedger } from '../../release/encode.js';
import { requireApart, requireNew } from '../../release/home/home.js';
import { requireWritableState } from '../../release/home/state-folder.js';
import { statedBounds } from '../../release/job/encoding-job.js';
import { requireBounds } from '../../release/job/release-bounds.js';
import { Ledger } from '../../release/ledger/ledger.js';
import { encodingLimits } from '../policy.js';
import type { Checklist } from './checklist.js';
import type { PreflightOptions } from './preflight-options.js';

const LEAST_FREE_BYTES = 2 ** 30;

/**
 * Looks at where encoding would write: the ledger that a job would count in, the space for it, and what this machine
 * remembers of ledgers.
 */
export async function checkHome(checklist: Checklist, options: PreflightOptions): Promise<void> {
  const { home, mayMakeHome = false } = options;
  const ledgerAdvice = {
    'key-invalid': 'run chmod 600 on ledger.key, so that this user alone may read it',
    'file-unwritable': 'choose a --home that this user may write to',
    conflict: 'name a home outside of the notes, or move the one that is there, as a whole',
    'file-exists': 'give it as --home, or name another place for a --new-home',
    'home-missing': 'give the --home that was encoded in, or a --new-home if there is none',
    'ledger-copied': 'use the home that released last; tacet home adopt makes another the one',
    'ledger-foreign': 'give the home with the ledger that the policy means',
    'history-uncertified': 'give a home that has released nothing, for notes never encoded',
    'treatment-other': 'encode with --entities as before, or in a home for other notes',
    'bounds-laxer': 'give a policy as strict as the releases of the home',
    otherwise: 'restore ledger.db and ledger.key from one backup',
  };
  await checklist.checkAlone('ledger', ledgerAdvice, () => ledgerIn(home, mayMakeHome, options));
  const diskAdvice = {
    'file-unwritable': 'choose a --home that this user may write to',
    otherwise: 'free some space, or choose another home',
  };
  await checklist.checkAlone('disk', diskAdvice, () => freeSpace(home));
  const stateAdvice = { otherwise: 'name a folder that this user may write to in XDG_STATE_HOME' };
  await checklist.checkAlone('state folder', stateAdvice, requireWritableState);
}

/** Which ledger a job would count in; makes none. Throws as the job would, which may make one or not. */
async function ledgerIn(
  home: string,
  mayMake: boolean,
  {
    policy,
    signal,
    notes,
    isNewHome = false,
    entities = policy?.entities ?? 'replaced',
    keptTypes = [],
  }: PreflightOptions,
): Promise<string> {
  if (notes !== undefined) requireApart(home, notes);
  if (isNewHome) await requireNew(home, signal);
  const mayBeNew = mayMake && policy?.ledger === undefined;
  const ledger = await (mayBeNew ? Ledger.openExisting : Ledger.open)(home, signal);
  if (!ledger) return 'no ledger yet: nothing counts as released';
  try {
    requireLedger(ledger, policy?.ledger);
    const limits: Partial<ReturnType<typeof encodingLimits>> = policy
      ? encodingLimits(policy, { entities, keptTypes })
      : {};
    // A job may have a reader that no policy asks for.
    const reader = { treatment: policy?.suspects ?? 'replace' };
    requireBounds(ledger, statedBounds({ ...limits, reader }, entities, keptTypes));
    if (limits.certification && !ledger.isCertified())
      throw new TacetError('history-uncertified', 'it holds releases that were never certified');
    const needsReader = ledger.bounds().suspects !== null;
    return `opens, ledger ${ledger.id}${needsReader ? '; its jobs need a second reader' : ''}`;
  } finally {
    ledger.close();
  }
}

/** Throws `store-full`, and `file-unwritable` where `home` is no folder and cannot become one. */
async function freeSpace(home: string): Promise<string> {
  const refuse = (error: unknown) => {
    throw unwritableError(home, error);
  };
  const folder = await writableFolder(home).catch(refuse);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free`;
  if (free < LEAST_FREE_BYTES)
    throw new TacetError('store-full', `${home}: ${text}, expected 1 GiB at least`);
  await tryFolder(folder).catch(refuse);
  return text;
}

function unwritableError(home: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new TacetError(
    'file-unwritable',
    `${home}: expected a folder that can be written, or made (${code})`,
    { cause: error },
  );
}
