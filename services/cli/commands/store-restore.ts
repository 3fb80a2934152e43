import { Command, Option } from 'commander';
import type { LogEntry } from '../../../pool-store/log-chain.js';
import { readLog } from '../../../pool-store/read-log.js';
import { restoreStore } from '../../../pool-store/restore.js';
import { TacetError } from '../../../proto/errors.js';
import { keyOf, readLogCopy, verifyLog } from '../../http/log-copy.js';
import { contextOf } from '../context.js';
import { requireStore } from '../store-directory.js';

interface Options {
  readonly backup: string;
  readonly data: string;
  readonly log?: string;
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

async function laterEntries({ log, lost, nothingLater }: Options): Promise<Iterable<LogEntry>> {
  if (nothingLater) return [];
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
  verifyLog(copy, keyOf(copy));
  return copy.entries;
}
