import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Inventory, MAX_INVENTORY_BYTES } from '../../models/surrogates/inventory.js';
import { type OwnForms, readOwnForms } from '../../models/surrogates/own-forms.js';
import { TacetError } from '../../proto/errors.js';

/** Throws `file-not-found`, or `inventory-invalid` with the file's name. */
export async function readInventory(file: string): Promise<Inventory> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new TacetError('file-not-found', `${file}: no such file`);
  if (found.size > MAX_INVENTORY_BYTES)
    throw new TacetError('inventory-invalid', `${file}: more than ${MAX_INVENTORY_BYTES} bytes`);
  try {
    return Inventory.read(await readFile(file));
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
    throw new TacetError(error.code, `${file}: ${error.message}`, { cause: error });
  }
}

/** How an institution writes and labels. Throws `file-not-found`, or `inventory-invalid` with the file's name. */
export async function readFormsFile(file: string): Promise<OwnForms> {
  return readOwnForms(path.basename(file), await readTextFile(file));
}

/** Throws `file-not-found`. */
async function readTextFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new TacetError('file-not-found', `${file}: no such file`);
  });
}

/** `TYPE=FILE`, a file with an entity of the type on each line. Throws `usage` or `file-not-found`. */
export async function readEntityList(stated: string) {
  const [, type, file] = /^([^=]+)=(.+)$/.exec(stated) ?? [];
  if (type === undefined || file === undefined)
    throw new TacetError('usage', `--list ${stated}: expected TYPE=FILE`);
  return { name: path.basename(file), type, text: await readTextFile(file) };
}
