import path from 'node:path';
import { writeAtomically } from '../../platform/files/draft-file.js';
import type { NamedArrays } from '../networks/named-arrays.js';
import type { ManifestFields } from './manifest.js';
import { writeSafetensors } from './safetensors.js';

/** Writes what `tacet bundle create` signs, and returns the two files. */
export async function saveForBundle(
  directory: string,
  { fields, weights }: { fields: ManifestFields; weights: NamedArrays },
): Promise<{ manifest: string; weights: string }> {
  const files = {
    manifest: path.join(directory, 'manifest.json'),
    weights: path.join(directory, 'weights.safetensors'),
  };
  await writeAtomically(files.weights, [writeSafetensors(weights)]);
  await writeAtomically(files.manifest, `${JSON.stringify(fields, null, 2)}\n`);
  return files;
}
