import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Inventory, MAX_INVENTORY_BYTES } from '../../models/surrogates/inventory.js';
import { type OwnForms, readOwnForms } from '../../models/surrogates/own-forms.js';
import { readFailure } from '../../platform/system-error.js';
import { TacetError } from '../../proto/errors.js';

/** Throws `file-not-found`, `file-unreadable`, or `inventory-invalid` with the file's name. */
export async function readInventory(file: string): Promise<Inventory> {
  const found = await stat(file).catch((error: unknown) => {
    throw readFailure(error, file);
  });
  if (!found.isFile())
    throw new TacetError(
      'file-unreadable',
      `${file}: is ${found.isDirectory() ? 'a folder' : 'no file'}; expected an inventory, as tacet inventory create ` +
        'writes it, or inventory.json of a bundle',
    );
  if (found.size > MAX_INVENTORY_BYTES)
    throw new TacetError('inventory-invalid', `${file}: more than ${MAX_INVENTORY_BYTES} bytes`);
  try {
    return Inventory.read(await readFile(file));
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
    throw new TacetError(error.code, `${file}: ${error.message}`, { cause: error });
  }
}

/** How an institution writes and labels. Throws `file-not-found`, `file-unreadable`, or `inventory-invalid` with the file's name. */
export async function readFormsFile(file: string): Promise<OwnForms> {
  return readOwnForms(path.basename(file), await readTextFile(file));
}

/** Throws `file-not-found` and `file-unreadable`. */
async function readTextFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw readFailure(error, file);
  });
}

/** `TYPE=FILE`, a file with an entity of the type on each line. Throws `usage`, `file-not-found` and `file-unreadable`. */
export async function readEntityList(stated: string) {
  const [, type, file] = /^([^=]+)=(.+)$/.exec(stated) ?? [];
  if (type === undefined || file === undefined)
    throw new TacetError('usage', `--list ${stated}: expected TYPE=FILE`);
  return { name: path.basename(file), type, text: await readTextFile(file) };
}
