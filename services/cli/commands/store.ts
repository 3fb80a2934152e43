import { Command } from 'commander';
import { Store } from '../../../pool-store/store.js';
import { type Verification, verifyStore } from '../../../pool-store/verify.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { requireStore } from '../store-directory.js';

/** `tacet store`: care for a server's data directory. */
export function storeCommand(): Command {
  const store = new Command('store').description("care for a server's data directory");
  store
    .command('verify')
    .description('read every byte of a store, also while a server runs, and say what is damaged')
    .requiredOption('--data <directory>', "the server's data directory")
    .action(verify);
  return store;
}

async function verify({ data }: { data: string }, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  requireStore(data);
  const store = new Store(data);
  try {
    const verification = await verifyStore(store, {
      signal,
      onBlob: (done) => progress({ step: 'verify', done, unit: 'blobs' }),
    });
    result(verification, linesOf(verification));
    const faults = faultCount(verification);
    if (faults > 0) throw new TacetError('store-damaged', `${data} has ${faults} faults`);
  } finally {
    store.close();
  }
}

function linesOf(verification: Verification): string[] {
  const { blobs, bytes, damaged, missing, notErased, catalog, logBrokenAt } = verification;
  return [
    `${blobs} blobs, ${bytes} bytes`,
    ...damaged.map((digest) => `damaged ${digest}`),
    ...missing.map((digest) => `missing ${digest}`),
    ...notErased.map((digest) => `withdrawn but not erased ${digest}`),
    `catalog ${catalog}`,
    `log ${logBrokenAt === null ? 'ok' : `broken at entry ${logBrokenAt}`}`,
  ];
}

function faultCount({ damaged, missing, notErased, catalog, logBrokenAt }: Verification): number {
  const others = Number(catalog === 'damaged') + Number(logBrokenAt !== null);
  return damaged.length + missing.length + notErased.length + others;
}
