import path from 'node:path';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { inventoryBytes } from '../surrogates/inventory.js';
import type { BundleContents } from './bundle.js';
import { INVENTORY_FILE } from './bundle-files.js';
import { writeSafetensors } from './safetensors.js';

/** Writes what `tacet bundle create` signs, and returns the files. */
export async function saveForBundle(
  directory: string,
  { fields, weights, inventory }: BundleContents,
): Promise<{ manifest: string; weights: string; inventory?: string }> {
  const files = {
    manifest: path.join(directory, 'manifest.json'),
    weights: path.join(directory, 'weights.safetensors'),
  };
  await writeAtomically(files.weights, [writeSafetensors(weights)]);
  await writeAtomically(files.manifest, `${JSON.stringify(fields, null, 2)}\n`);
  if (!inventory) return files;
  const entities = path.join(directory, INVENTORY_FILE);
  await writeAtomically(entities, [inventoryBytes(inventory)]);
  return { ...files, inventory: entities };
}
