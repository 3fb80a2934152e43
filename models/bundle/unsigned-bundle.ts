import path from 'node:path';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { inventoryBytes } from '../surrogates/inventory.js';
import type { BundleContents } from './bundle.js';
import { INVENTORY_FILE, MANIFEST_FILE, WEIGHTS_FILE } from './bundle-files.js';
import { writeSafetensors } from './safetensors.js';

/** What `saveForBundle` writes, the last for contents with an inventory; a signed bundle has files of these names too. */
export const UNSIGNED_FILES = [MANIFEST_FILE, WEIGHTS_FILE, INVENTORY_FILE] as const;

/** Writes what `tacet bundle create` signs, and returns the files. */
export async function saveForBundle(
  directory: string,
  { fields, weights, inventory }: BundleContents,
): Promise<{ manifest: string; weights: string; inventory?: string }> {
  const files = {
    manifest: path.join(directory, MANIFEST_FILE),
    weights: path.join(directory, WEIGHTS_FILE),
  };
  await writeAtomically(files.weights, [writeSafetensors(weights)]);
  await writeAtomically(files.manifest, `${JSON.stringify(fields, null, 2)}\n`);
  if (!inventory) return files;
  const entities = path.join(directory, INVENTORY_FILE);
  await writeAtomically(entities, [inventoryBytes(inventory)]);
  return { ...files, inventory: entities };
}
