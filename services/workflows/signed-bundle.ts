import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createBundle } from '../../models/bundle/bundle.js';
import { parseManifestFields } from '../../models/bundle/manifest.js';
import { readSafetensors } from '../../models/bundle/safetensors.js';
import { trainingCurve } from '../../models/bundle/training-curve.js';
import { readMetrics } from '../../models/training/run/metrics-file.js';
import { readJsonFile } from '../../platform/files/json-file.js';
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
 * `file-not-found`, `bundle-invalid`, `inventory-invalid` or `file-exists`.
 */
export async function createSignedBundle(
  directory: string,
  { manifest, weights, inventory: entities, metrics }: SignedBundleFiles,
  { keys, modelKey, created }: BundleMaking,
): Promise<string> {
  const stated = await readJsonFile(manifest, { what: 'file', code: 'bundle-invalid' });
  const fields = parseManifestFields(stated);
  const arrays = readSafetensors(await readInput(weights));
  const inventory = entities === undefined ? undefined : (await readInventory(entities)).file;
  const curve = metrics === undefined ? undefined : trainingCurve(await readMetrics(metrics));
  return createBundle(
    directory,
    { fields, weights: arrays, inventory, curve, modelKey, created },
    ...keys,
  );
}

async function readInput(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new TacetError('file-not-found', `${file}: no such file`);
  });
}
