import { Command } from 'commander';
import { storeBackupCommand } from './store-backup.js';
import { storeCopyCommand } from './store-copy.js';
import { storeCopyBlobsCommand } from './store-copy-blobs.js';
import { storeLogKeyCommand } from './store-log-key.js';
import { storeRestoreCommand } from './store-restore.js';
import { storeVerifyCommand } from './store-verify.js';

/** `tacet store`: care for a server's data directory. */
export function storeCommand(): Command {
  return new Command('store')
    .description("care for a server's data directory")
    .addCommand(storeVerifyCommand())
    .addCommand(storeBackupCommand())
    .addCommand(storeCopyCommand())
    .addCommand(storeRestoreCommand())
    .addCommand(storeCopyBlobsCommand())
    .addCommand(storeLogKeyCommand());
}
