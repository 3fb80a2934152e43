import { Command } from 'commander';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { changeLogSigner } from '../../../pool-store/log-signer.js';
import { type CatalogOptions, withCatalogOptions } from '../catalog-options.js';
import { contextOf } from '../context.js';
import { openServed } from '../store-directory.js';

interface Options extends CatalogOptions {
  readonly data: string;
  readonly logKey?: string;
}

/** `tacet store log-key`: another key for the log, where the one before is lost or leaked. */
export function storeLogKeyCommand(): Command {
  return withCatalogOptions(new Command('log-key'))
    .description(
      'have the log signed with another key from the next start on, and say so in the log',
    )
    .requiredOption('--data <directory>', "the server's data directory")
    .option('--log-key <file>', 'the private key; that of the data directory, where not given')
    .action(change);
}

async function change({ data, logKey, ...place }: Options, command: Command): Promise<void> {
  const store = await openServed(data, place, command);
  try {
    const key = logKey === undefined ? store.logKey : await readPrivateKey(logKey);
    const keyId = await changeLogSigner(store, key);
    contextOf(command).result({ keyId }, `the log is signed by key ${keyId}`);
  } finally {
    await store.close();
  }
}
