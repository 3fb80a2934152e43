import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import { restoreStore } from '../../../pool-store/copies/restore.js';
import type { LogEntry } from '../../../pool-store/log/log-chain.js';
import { readLogKey } from '../../../pool-store/log/log-key.js';
import { readLog } from '../../../pool-store/read-log.js';
import { KEY_DIRECTORY } from '../../../pool-store/store.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { TacetError } from '../../../proto/errors.js';
import { keyOf, type LogCopy, readLogCopy, verifyLog } from '../../client/log-copy.js';
import { contextOf } from '../context.js';
import { requireStore } from '../store-directory.js';

interface Options {
  readonly backup: string;
  readonly data: string;
  readonly log?: string;
  readonly logKey?: string;
  readonly lost?: string;
  readonly nothingLater?: boolean;
}

/** `tacet store restore`: a store from a backup, without what was withdrawn since. */
export function storeRestoreCommand(): Command {
  const later = ['log', 'lost', 'nothingLater'];
  const option = (flags: string, description: string, name: string) =>
    new Option(flags, description).conflicts(later.filter((other) => other !== name));
  return new Command('restore')
    .description('make a store from a backup; withdrawals and revocations after it are repeated')
    .requiredOption('--backup <directory>', 'as tacet store backup made it')
    .requiredOption('--data <directory>', 'a new directory')
    .addOption(
      option('--lost <directory>', 'the lost store, where its catalog can be read', 'lost'),
    )
    .addOption(option('--log <file>', 'a copy of its log, as tacet log fetch writes it', 'log'))
    .option('--log-key <file>', "with --log: the server's public key, where the backup holds none")
    .addOption(
      option(
        '--nothing-later',
        'nothing was withdrawn or revoked after the backup',
        'nothingLater',
      ),
    )
    .action(restore);
}

async function restore(options: Options, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const { backup, data } = options;
  requireStore(backup);
  const restored = await restoreStore(backup, data, {
    later: await laterEntries(options),
    signal,
    onBlob: (done, total) => progress({ step: 'restore', done, total, unit: 'blobs' }),
  });
  result(restored, [
    `${restored.blobs} blobs; the log was followed up to entry ${restored.sequence}`,
    ...restored.withdrawn.map((id) => `withdrawn again ${id}`),
    ...restored.revoked.map((id) => `revoked again ${id}`),
    ...restored.damaged.map((digest) => `damaged in the backup ${digest}`),
  ]);
  if (restored.damaged.length > 0) {
    throw new TacetError('store-damaged', `${restored.damaged.length} blobs could not be restored`);
  }
}

async function laterEntries(options: Options): Promise<Iterable<LogEntry> | undefined> {
  const { log, lost, nothingLater } = options;
  if (nothingLater) return undefined;
  if (lost !== undefined) {
    requireStore(lost);
    return readLog(lost);
  }
  if (log === undefined) {
    throw new TacetError(
      'usage',
      'what was withdrawn after the backup must stay withdrawn: give --lost or --log, ' +
        'or --nothing-later where you know of nothing',
    );
  }
  const copy = await readLogCopy(log);
  if (!copy) throw new TacetError('file-not-found', `${log}: there is no such copy of a log`);
  requireSigner(copy, log, await logKeyOf(options));
  return copy.entries;
}

/** Entries that withdraw and revoke are believed where the lost server signed them. */
function requireSigner(copy: LogCopy, path: string, key: KeyObject): void {
  const [found, expected] = [keyIdOf(keyOf(copy)), keyIdOf(key)];
  if (found !== expected) {
    throw new TacetError(
      'key-untrusted',
      `${path} is signed by key ${found}; the log of this store is signed by key ${expected}: ` +
        'it is the log of another server, or a forged one',
    );
  }
  verifyLog(copy, key);
}

async function logKeyOf({ backup, logKey }: Options): Promise<KeyObject> {
  if (logKey !== undefined) return readPublicKey(logKey);
  const key = readLogKey(join(backup, KEY_DIRECTORY));
  if (key) return key;
  throw new TacetError(
    'key-untrusted',
    `${backup} holds no key that could tell whose log this is; give --log-key, the server's public ` +
      'key from a source that you trust',
  );
}
