import { Command } from 'commander';
import { type Verification, verifyStore } from '../../../pool-store/verify.js';
import { TacetError } from '../../../proto/errors.js';
import { type CatalogOptions, withCatalogOptions } from '../catalog-options.js';
import { contextOf } from '../context.js';
import { openServed } from '../store-directory.js';

interface Options extends CatalogOptions {
  readonly data: string;
  readonly isolate?: boolean;
  readonly removeOrphans?: boolean;
}

/** `tacet store verify`: names what is damaged. */
export function storeVerifyCommand(): Command {
  return withCatalogOptions(new Command('verify'))
    .description('read every byte of a store, also while a server runs, and say what is damaged')
    .requiredOption('--data <directory>', "the server's data directory, or a backup")
    .option('--isolate', 'move damaged blobs into quarantine/, so that a new upload heals them')
    .option('--remove-orphans', 'erase what lies in orphans/: blobs that the catalog does not name')
    .action(verify);
}

async function verify(
  { data, isolate = false, removeOrphans = false, ...place }: Options,
  command: Command,
): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const store = await openServed(data, place, command);
  try {
    const verification = await verifyStore(store, {
      signal,
      isolate,
      removeOrphans,
      onBlob: (done) => progress({ step: 'verify', done, unit: 'blobs' }),
    });
    result(verification, linesOf(verification, { isolate, removeOrphans }));
    const faults = faultCount(verification);
    if (faults > 0) throw new TacetError('store-damaged', `${data} has ${faults} faults`);
  } finally {
    await store.close();
  }
}

function linesOf(
  verification: Verification,
  { isolate, removeOrphans }: Pick<Options, 'isolate' | 'removeOrphans'>,
): string[] {
  const { blobs, bytes, damaged, missing, notErased, affected, logBrokenAt } = verification;
  const { orphans, orphanBytes, returning, unnamed, lostEntry } = verification;
  const aside = isolate ? ', moved into quarantine/' : '';
  return [
    `${blobs} blobs, ${bytes} bytes`,
    ...damaged.map((digest) => `damaged ${digest}${aside}`),
    ...missing.map((digest) => `missing ${digest}`),
    ...notErased.map((digest) => `withdrawn but not erased ${digest}`),
    ...unnamed.map((digest) => `named by nothing ${digest}; the next start puts it aside`),
    ...orphans.map(
      (digest) => `${removeOrphans ? 'removed from' : 'put aside in'} orphans/ ${digest}`,
    ),
    ...returning.map(
      (digest) =>
        `put aside in orphans/ and named by the catalog ${digest}; the next start takes it back`,
    ),
    ...(orphans.length > 0 ? [`${orphans.length} orphans, ${orphanBytes} bytes`] : []),
    ...(lostEntry === null
      ? []
      : [`catalog older than this store: it lacks entry ${lostEntry} of the log`]),
    ...affected.map((holder) => `unreadable in part: ${holder}`),
    ...(verification.catalog.length === 0 ? ['catalog ok'] : []),
    ...verification.catalog.map((fault) => `catalog damaged: ${fault}`),
    `log ${logBrokenAt === null ? 'ok' : `broken at entry ${logBrokenAt}`}`,
  ];
}

function faultCount(verification: Verification): number {
  const { damaged, missing, notErased, catalog, logBrokenAt, lostEntry } = verification;
  const listed = damaged.length + missing.length + notErased.length + catalog.length;
  return listed + Number(logBrokenAt !== null) + Number(lostEntry !== null);
}
