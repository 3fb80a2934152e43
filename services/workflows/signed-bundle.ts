import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createBundle } from '../../models/bundle/bundle.js';
import { parseManifestFields } from '../../models/bundle/manifest.js';
import { readSafetensors } from '../../models/bundle/safetensors.js';
import { trainingCurve } from '../../models/bundle/training-curve.js';
import type { NamedArrays } from '../../models/networks/named-arrays.js';
import { readMetrics } from '../../models/training/run/metrics-file.js';
import { readJsonFile } from '../../platform/files/json-file.js';
import { readFailure } from '../../platform/system-error.js';
import { TacetError } from '../../proto/errors.js';
import { readInventory } from './inventory-files.js';
import type { UnsignedBundle } from './train/unsigned-bundle.js';

/** What a bundle is made of, as files. */
export type SignedBundleFiles = Omit<UnsignedBundle, 'kind'>;

/** How it is made. */
export interface BundleMaking {
  readonly keys: readonly KeyObject[];
  /** As of `BundleContents`. */
  readonly modelKey?: KeyObject | undefined;
  readonly created?: Date | undefined;
}

/**
 * Makes a bundle of what a training left, signed with every key; returns its SHA-256 in hex. Throws
 * `file-not-found`, `file-unreadable`, `bundle-invalid`, `inventory-invalid` or `file-exists`.
 */
export async function createSignedBundle(
  directory: string,
  { manifest, weights, inventory: entities, metrics }: SignedBundleFiles,
  { keys, modelKey, created }: BundleMaking,
): Promise<string> {
  const stated = await readJsonFile(manifest, { what: 'file', code: 'bundle-invalid' });
  const fields = parseManifestFields(stated);
  const arrays = await readWeights(weights);
  const inventory = entities === undefined ? undefined : (await readInventory(entities)).file;
  const curve = metrics === undefined ? undefined : trainingCurve(await readMetrics(metrics));
  return createBundle(
    directory,
    { fields, weights: arrays, inventory, curve, modelKey, created },
    ...keys,
  ).catch((error: unknown) => {
    throw invalid(error, `${manifest} and ${weights}`);
  });
}

async function readWeights(file: string): Promise<NamedArrays> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw readFailure(error, file);
  });
  try {
    return readSafetensors(bytes);
  } catch (error) {
    throw invalid(error, `${file}: expected the weights.safetensors that a training left`);
  }
}

/** The same failure, with the files that it is of where they are no parts of a bundle. */
function invalid(error: unknown, what: string): unknown {
  return error instanceof TacetError && error.code === 'bundle-invalid'
    ? new TacetError(error.code, `${what}: ${error.message}`)
    : error;
}
