import { Command } from 'commander';
import { createKeyFiles } from '../../../models/bundle/key-files.js';
import { contextOf } from '../context.js';

/** `tacet keys`: the Ed25519 keys that sign bundles and contributions. */
export function keysCommand(): Command {
  const keys = new Command('keys').description('make signing keys');
  keys
    .command('create <directory>')
    .description('make an Ed25519 pair: private.pem, which never leaves, and public.pem')
    .action(async (directory: string, _options, command: Command) => {
      const created = await createKeyFiles(directory);
      contextOf(command).result(created, [
        `key id       ${created.keyId}`,
        `private key  ${created.privateKeyFile}`,
        `public key   ${created.publicKeyFile}`,
      ]);
    });
  return keys;
}
