import { Command } from 'commander';
import { withNamed } from '../command-group.js';

const COMMANDS = {
  verify: async () => (await import('./store-verify.js')).storeVerifyCommand(),
  backup: async () => (await import('./store-backup.js')).storeBackupCommand(),
  copy: async () => (await import('./store-copy.js')).storeCopyCommand(),
  restore: async () => (await import('./store-restore.js')).storeRestoreCommand(),
  'copy-blobs': async () => (await import('./store-copy-blobs.js')).storeCopyBlobsCommand(),
  'log-key': async () => (await import('./store-log-key.js')).storeLogKeyCommand(),
};

/** `tacet store`: care for a server's data directory. */
export function storeCommand(words: readonly string[]): Promise<Command> {
  const group = new Command('store').description("care for a server's data directory");
  return withNamed(group, COMMANDS, words);
}
