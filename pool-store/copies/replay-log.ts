import { TacetError } from '../../proto/errors.js';
import type { LogHead } from '../../proto/log-head.js';
import { firstBroken, type LogEntry } from '../log/log-chain.js';
import { recordLogSigner } from '../log-signer.js';
import type { Store } from '../store.js';

/** What came true again that a backup did not know. */
export interface Replay {
  readonly withdrawn: readonly string[];
  readonly revoked: readonly string[];
  /** Sequence number of the last change that was looked at. */
  readonly sequence: number;
}

/**
 * Brings a restored store what must not come back to life: withdrawals, the end of tokens, keys, models and
 * training jobs, and keys of the log that were replaced, of a log that goes on where the store's own ends. A token whose secret was renewed is
 * revoked, for the new secret is lost. Throws `conflict` where the log does not reach to here, or does not go on from here.
 */
export async function replayLog(store: Store, entries: Iterable<LogEntry>): Promise<Replay> {
  const head = await store.log.head();
  const all = [...entries];
  if (head.sequence > 0 && !all.some((entry) => isAt(entry, head))) {
    throw new TacetError(
      'conflict',
      `the log lacks entry ${head.sequence}, with which the backup ends: it ends before the backup, or is the log of ` +
        'another store; give a newer one, or --nothing-later where you know of nothing',
    );
  }
  const later = all.filter(({ sequence }) => sequence > head.sequence);
  const broken = firstBroken(later, head);
  if (broken !== undefined) {
    throw new TacetError(
      'conflict',
      `entry ${broken} of the log does not follow from entry ${head.sequence} of the backup; ` +
        'it is the log of another store, or it was altered',
    );
  }
  const withdrawn: string[] = [];
  const revoked: string[] = [];
  for (const entry of later) {
    // Auditors know the newest key, and so does whoever signs with it.
    if (entry.action === 'log-key-changed') await recordLogSigner(store, entry.subject);
    if (await withdraw(store, entry)) withdrawn.push(entry.subject);
    if (await revoke(store, entry)) revoked.push(entry.subject);
    await endJob(store, entry);
  }
  return { withdrawn, revoked, sequence: later.at(-1)?.sequence ?? head.sequence };
}

function isAt({ sequence, hash }: LogHead, head: LogHead): boolean {
  return sequence === head.sequence && hash === head.hash;
}

/** One that came after the backup shall not be given again, either. */
async function withdraw(
  { contributions }: Store,
  { action, subject, time }: LogEntry,
): Promise<boolean> {
  if (action !== 'contribution-withdrawn') return false;
  const isKnown = await ifKnown(() => contributions.withdraw(subject));
  if (!isKnown) await contributions.refuseLost(subject, time);
  return isKnown;
}

async function revoke(
  { tokens, identities, models }: Store,
  { action, subject, details }: LogEntry,
): Promise<boolean> {
  if (action === 'token-revoked' || action === 'token-rotated') {
    return ifKnown(() => tokens.revoke(subject));
  }
  if (action === 'identity-revoked') return ifKnown(() => identities.revoke(subject));
  const model = action === 'model-revoked' ? await models.findByDigest(subject) : undefined;
  if (!model) return false;
  await models.setStatus(model.name, model.version, 'revoked', String(details.reason ?? 'revoked'));
  return true;
}

/** What a training job came to is lost; nobody shall do it again. */
async function endJob({ trainingJobs }: Store, { action, subject }: LogEntry): Promise<void> {
  if (!['job-done', 'job-failed', 'job-cancelled'].includes(action)) return;
  await ifKnown(() => trainingJobs.cancel(subject, 'store-restored'));
}

/** What came after the backup is not in it. */
async function ifKnown(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (error instanceof TacetError && error.code === 'not-found') return false;
    throw error;
  }
}
