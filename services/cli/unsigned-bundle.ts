import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ManifestFields } from '../../models/bundle/manifest.js';
import { writeSafetensors } from '../../models/bundle/safetensors.js';
import type { NamedArrays } from '../../models/networks/named-arrays.js';

/** Writes what `tacet bundle create` signs, and returns the two files. */
export async function saveForBundle(
  directory: string,
  { fields, weights }: { fields: ManifestFields; weights: NamedArrays },
): Promise<{ manifest: string; weights: string }> {
  const files = {
    manifest: path.join(directory, 'manifest.json'),
    weights: path.join(directory, 'weights.safetensors'),
  };
  await writeFile(files.weights, writeSafetensors(weights));
  await writeFile(files.manifest, `${JSON.stringify(fields, null, 2)}\n`);
  return files;
}
