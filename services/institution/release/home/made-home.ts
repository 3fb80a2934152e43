import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { LedgerKey } from '../ledger/ledger-key.js';
import { ledgerFile } from '../ledger/ledger-schema.js';
import { LedgerWitness } from '../ledger/ledger-witness.js';
import { CERTIFYING_LOCK, CONTRIBUTING_LOCK } from './home-lock.js';

/** A home that is about to be made, and is taken back where the job that it was made for is refused. */
export class MadeHome {
  private constructor(
    private readonly home: string,
    /** Those that are made with it, the innermost first. */
    private readonly folders: readonly string[],
  ) {}

  /** Undefined where `home` holds a ledger already. */
  static async before(home: string): Promise<MadeHome | undefined> {
    if (await exists(ledgerFile(home))) return undefined;
    const folders: string[] = [];
    for (let folder = resolve(home); !(await exists(folder)); folder = dirname(folder))
      folders.push(folder);
    return new MadeHome(home, folders);
  }

  /**
   * Removes ledger `id`, which holds nothing and is closed, and the folders that were made for it. Leaves all where another
   * process has the ledger open, or segments lie beside it. Whoever opened it just before is refused: neither its key nor its
   * witness is there any more.
   */
  async takeBack(id: string): Promise<void> {
    // SQLite deletes it when the last one closes the ledger.
    if (await exists(`${ledgerFile(this.home)}-wal`)) return;
    await rmdir(join(this.home, 'outbox'));
    for (const lock of [CERTIFYING_LOCK, CONTRIBUTING_LOCK])
      await rm(join(this.home, lock), { force: true });
    await LedgerWitness.forget(id);
    await rm(ledgerFile(this.home));
    await LedgerKey.remove(this.home);
    for (const folder of this.folders) await rmdir(folder);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
