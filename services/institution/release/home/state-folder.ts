/** Where this machine remembers the newest state of each ledger: without it a home can neither begin nor release. */
import { join } from 'node:path';
import { makeFolders } from '../../../../platform/files/make-folders.js';
import { tryFolder, writableFolder } from '../../../../platform/files/writable-folder.js';
import { systemCode } from '../../../../platform/system-error.js';
import { stateFolder } from '../../../../platform/user-folders.js';
import { TacetError } from '../../../../proto/errors.js';

const OWNER_ALONE = 0o700;

/** The folder, which can be written or made; leaves nothing behind. Throws `file-unwritable`. */
export async function requireWritableState(): Promise<string> {
  const folder = ledgersFolder();
  try {
    await tryFolder(await writableFolder(folder));
  } catch (error) {
    throw unwritable(folder, error);
  }
  return folder;
}

/** Makes the folder where there is none. Throws `file-unwritable`. */
export async function makeState(): Promise<void> {
  const folder = ledgersFolder();
  try {
    makeFolders(folder, OWNER_ALONE);
    await tryFolder(folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function ledgersFolder(): string {
  return join(stateFolder(), 'ledgers');
}

function unwritable(folder: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return new TacetError(
    'file-unwritable',
    `${folder}: expected a folder that can be written, or made (${code}), in which this machine remembers how far ` +
      'each ledger has come; give this user the right to write there, or name another place in XDG_STATE_HOME',
    { cause: error },
  );
}
