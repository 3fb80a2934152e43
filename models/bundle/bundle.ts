/**
 * A frozen, signed, published model directory: `manifest.json`, `weights.safetensors`,
 * `representation.onnx` where it holds a representation, `deidentifier.onnx` where it holds a de-identifier,
 * `MODEL_CARD.md` and `signature.json`, a DSSE envelope over an in-toto statement with a subject for every other file. Nothing in a bundle is ever executed.
 */

import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { writeDurably } from '../../platform/files/durable-file.js';
import { createFolder } from '../../platform/files/durable-folder.js';
import { sha256Hex } from '../../proto/digest.js';
import { sign } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { deidentifierWeights } from '../networks/deidentifier.js';
import { type InitialWeights, requireWeights } from '../networks/initial-weights.js';
import type { NamedArrays } from '../networks/named-arrays.js';
import { representationWeights } from '../networks/representation.js';
import { Inventory, type InventoryFile, inventoryBytes } from '../surrogates/inventory.js';
import {
  CURVE_FILE,
  DEIDENTIFIER_ONNX_FILE,
  INVENTORY_FILE,
  MANIFEST_FILE,
  MODEL_CARD_FILE,
  MODEL_SIGNATURE_FILE,
  ONNX_FILE,
  SIGNATURE_FILE,
  WEIGHTS_FILE,
} from './bundle-files.js';
import { type ManifestFields, parseManifestFields, writeManifest } from './manifest.js';
import { writeModelCard } from './model-card.js';
import { writeModelSignature } from './model-signature.js';
import { representationOnnx } from './onnx.js';
import { deidentifierOnnx } from './onnx-deidentifier.js';
import { joinParts, type Parts, partOf } from './parts.js';
import { readSafetensors, writeSafetensors } from './safetensors.js';
import { writeSignature } from './signature-file.js';
import { STATEMENT_PAYLOAD_TYPE, writeStatement } from './statement.js';
import { type TrainingCurve, writeTrainingCurve } from './training-curve.js';
import type { VerifiedFiles } from './verify.js';

/** What a bundle is made of. */
export interface BundleContents {
  readonly fields: ManifestFields;
  readonly weights: NamedArrays;
  /** What replaces entities of notes; without it they can only be kept. */
  readonly inventory?: InventoryFile | undefined;
  /** How its training went. */
  readonly curve?: TrainingCurve | undefined;
  /** When it was made, now by default: the same contents, time and keys give the same bytes. */
  readonly created?: Date | undefined;
  /** An ECDSA key that signs it for others as well, in `model.sig`; its signatures are drawn at random. */
  readonly modelKey?: KeyObject | undefined;
}

/**
 * Writes a bundle at `directory`, signed by each key, whole or not at all. Returns its digest. Throws `file-exists`
 * where something is there already, since a published bundle never changes, and `bundle-invalid`
 * where the weights are not those of the architecture.
 */
export async function createBundle(
  directory: string,
  contents: BundleContents,
  ...privateKeys: readonly KeyObject[]
): Promise<string> {
  const files = bundleFiles(contents, privateKeys);
  await createFolder(directory, async (building) => {
    for (const [name, bytes] of files) await writeDurably(join(building, name), bytes);
  });
  return sha256Hex(files.get(MANIFEST_FILE) as Uint8Array);
}

/** Parses the weights of a verified bundle. Throws `bundle-invalid`. */
export function weightsOf({ files }: Pick<VerifiedFiles, 'files'>): NamedArrays {
  return readSafetensors(files.get(WEIGHTS_FILE) as Uint8Array);
}

/** The inventory of a verified bundle; undefined where it has none. Throws `inventory-invalid`. */
export function inventoryOf({ files }: Pick<VerifiedFiles, 'files'>): Inventory | undefined {
  const bytes = files.get(INVENTORY_FILE);
  return bytes && Inventory.read(bytes);
}

function bundleFiles(
  { fields, weights, inventory, curve, created = new Date(), modelKey }: BundleContents,
  privateKeys: readonly KeyObject[],
): Map<string, Uint8Array> {
  const described = { ...parseManifestFields(fields), created: created.toISOString() };
  const { representation, deidentifier } = checkedParts(fields, weights);
  const { inputDimension = 0, wordDimension } = fields.architecture.deidentifier ?? {};
  const released = wordDimension === undefined ? 0 : inputDimension;
  const reads = representation && released === 0 ? 'representation' : 'embeddings';
  const files = new Map<string, Uint8Array>([
    [WEIGHTS_FILE, writeSafetensors(weights)],
    ...(representation ? [[ONNX_FILE, representationOnnx(representation)] as const] : []),
    ...(deidentifier
      ? [[DEIDENTIFIER_ONNX_FILE, deidentifierOnnx(deidentifier, reads, released)] as const]
      : []),
    ...(inventory ? [[INVENTORY_FILE, inventoryBytes(inventory)] as const] : []),
    ...(curve ? [[CURVE_FILE, writeTrainingCurve(curve)] as const] : []),
    [MODEL_CARD_FILE, Buffer.from(writeModelCard(described, inventory))],
  ]);
  files.set(
    MANIFEST_FILE,
    writeManifest({ ...described, files: Object.fromEntries(digestsOf(files)) }),
  );
  const digests = digestsOf(files);
  const statement = writeStatement(fields, digests);
  const envelope = sign(STATEMENT_PAYLOAD_TYPE, statement, ...privateKeys);
  files.set(SIGNATURE_FILE, writeSignature(envelope));
  if (modelKey)
    files.set(MODEL_SIGNATURE_FILE, writeModelSignature(fields.name, digests, modelKey));
  return files;
}

/** Throws `bundle-invalid` where the weights are not those of the architecture. */
function checkedParts({ architecture }: ManifestFields, weights: NamedArrays): Parts {
  const { representation, deidentifier } = architecture;
  const networks: Record<string, InitialWeights> = {
    ...(representation && { representation: representationWeights(representation) }),
    ...(deidentifier && { deidentifier: deidentifierWeights(deidentifier) }),
  };
  const parts: Record<string, NamedArrays> = {};
  for (const [network, expected] of Object.entries(networks)) {
    parts[network] = partOf(weights, network);
    requireWeights(network, parts[network], expected);
  }
  const known = joinParts(parts);
  const unknown = Object.keys(weights).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new TacetError(
      'bundle-invalid',
      `the weights hold more than the architecture names, such as '${unknown}'; manifest and weights do not belong together`,
    );
  return parts;
}

function digestsOf(files: ReadonlyMap<string, Uint8Array>): Map<string, string> {
  return new Map([...files].map(([name, bytes]) => [name, sha256Hex(bytes)]));
}
