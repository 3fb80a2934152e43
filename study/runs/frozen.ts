/**
 * A frozen run: its representation's weights, its manifest and its configuration, to encode and to
 * audit with without training again. Trained weights alone: nothing in it comes from a note's text.
 */

import type { KeyObject } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createBundle, weightsOf } from '../../models/bundle/bundle.js';
import { MANIFEST_FILE, WEIGHTS_FILE } from '../../models/bundle/bundle-files.js';
import { readPublicKey } from '../../models/bundle/key-files.js';
import {
  type Manifest,
  type ManifestFields,
  parseManifestFields,
} from '../../models/bundle/manifest.js';
import { partOf } from '../../models/bundle/parts.js';
import { representedBy } from '../../models/bundle/represented.js';
import { readSafetensors, writeSafetensors } from '../../models/bundle/safetensors.js';
import { LIMIT_OF_PAIRS, statedScore } from '../../models/bundle/stated-scores.js';
import { type VerifiedFiles, verifyBundle } from '../../models/bundle/verify.js';
import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { requireWeights } from '../../models/networks/initial-weights.js';
import type { NamedArrays } from '../../models/networks/named-arrays.js';
import { Representation, representationWeights } from '../../models/networks/representation.js';
import { whyUnpublishable } from '../../models/networks/representation-config.js';
import { writeDurably } from '../../platform/files/durable-file.js';
import { createFolder } from '../../platform/files/durable-folder.js';
import { bytesIfThere } from '../../platform/files/optional-file.js';
import { sha256Hex } from '../../proto/digest.js';
import { TacetError } from '../../proto/errors.js';
import { requireJson } from '../../proto/json-text.js';
import { DIGEST } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, constant, mapOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { readMeasurements } from './measurements.js';

const CONFIG_FILE = 'config.json';
const INDEX_FILE = 'frozen.json';
/** Where a signed bundle lies, since nothing may stand beside its files. */
const BUNDLE = 'bundle';
const PUBLISHER_FILE = 'publisher.pem';

const INDEX = closedObject({
  format: constant('tacet-frozen-1'),
  signed: Type.Boolean(),
  /** SHA-256 in hex of every other file, by its path. */
  files: mapOf(DIGEST),
});

const checkIndex = validator(INDEX, 'bundle-invalid', INDEX_FILE);

export interface Frozen {
  readonly fields: ManifestFields;
  /** As a bundle names them, `representation/...`. */
  readonly weights: NamedArrays;
  readonly signed: boolean;
}

/**
 * Writes the representation of a finished run to `directory`, whole or not at all; signed as a bundle
 * where there is a key, else as what `tacet bundle create` signs. Throws `file-not-found` where the
 * run has none, `not-certified` where it cannot be published (`whyUnpublishable`), `file-exists`, `bundle-invalid`
 * where a file of it is damaged.
 */
export async function freeze(run: string, directory: string, key?: KeyObject): Promise<Frozen> {
  const config = await fileOf(run, CONFIG_FILE);
  requireFreezable(run, jsonIn(config, path.join(run, CONFIG_FILE)));
  const weights = readSafetensors(await fileOf(run, WEIGHTS_FILE));
  const written = parseManifestFields(await jsonOf(run, MANIFEST_FILE));
  const scores = { ...written.scores, ...(await measuredScores(run)) };
  const fields = { ...written, name: path.basename(directory), scores };
  requireRepresentation(fields, weights);
  await createFolder(directory, async (building) => {
    await writeDurably(path.join(building, CONFIG_FILE), config);
    if (key) await createBundle(path.join(building, BUNDLE), { fields, weights }, key);
    else {
      const manifest = `${JSON.stringify(fields, null, 2)}\n`;
      await writeDurably(path.join(building, MANIFEST_FILE), manifest);
      await writeDurably(path.join(building, WEIGHTS_FILE), writeSafetensors(weights));
    }
    const files = await digestsIn(building);
    const index: TypeOf<typeof INDEX> = {
      format: 'tacet-frozen-1',
      signed: key !== undefined,
      files,
    };
    await writeDurably(path.join(building, INDEX_FILE), `${JSON.stringify(index, null, 2)}\n`);
  });
  return { fields, weights, signed: key !== undefined };
}

/**
 * Reads one back, or a representation that is ready: a bundle beside its publisher's key, as `representations` has them. Throws
 * `bundle-digest` where a file is not what was frozen, `bundle-invalid`, and as `verifyBundle`.
 */
export async function openFrozen(directory: string): Promise<Frozen> {
  const ready = await readyIn(directory);
  if (ready) return frozenOf(ready.manifest, weightsOf(ready), true);
  const index = checkIndex(await jsonOf(directory, INDEX_FILE));
  const found = await digestsIn(directory);
  for (const name of new Set([...Object.keys(index.files), ...Object.keys(found)])) {
    if (found[name] === index.files[name]) continue;
    throw new TacetError(
      'bundle-digest',
      `${path.join(directory, name)}: expected ${index.files[name] ?? 'no such file'}, found ${found[name] ?? 'none'}`,
    );
  }
  const bundle = index.signed ? path.join(directory, BUNDLE) : directory;
  const weights = readSafetensors(await fileOf(bundle, WEIGHTS_FILE));
  return frozenOf(await jsonOf(bundle, MANIFEST_FILE), weights, index.signed);
}

function frozenOf(manifest: object, weights: NamedArrays, signed: boolean): Frozen {
  const { files, created, ...stated } = manifest as Partial<Manifest>;
  const fields = parseManifestFields(stated);
  requireRepresentation(fields, weights);
  return { fields, weights, signed };
}

/** Undefined where there is no publisher's key. */
async function readyIn(directory: string): Promise<VerifiedFiles | undefined> {
  const key = path.join(directory, PUBLISHER_FILE);
  if (!(await bytesIfThere(key))) return undefined;
  return verifyBundle(path.join(directory, BUNDLE), { trustedKeys: [await readPublicKey(key)] });
}

/**
 * Its network, ready to encode; to be disposed of. Throws `model-unsuitable` where it reads other word vectors than
 * `embeddings`, and as `openFrozen`.
 */
export async function openRepresentation(
  directory: string,
  { identity }: Pick<Embeddings, 'identity'>,
): Promise<Representation> {
  const { fields, weights } = await openFrozen(directory);
  const { embeddings } = fields;
  if (embeddings.identity !== identity)
    throw new TacetError(
      'model-unsuitable',
      `${directory}: expected the word vectors that it was trained with, ${embeddings.name}, SHA-256 ${embeddings.identity}; found ${identity}`,
    );
  const { representation } = representedBy(directory, fields);
  return Representation.fromWeights(representation, partOf(weights, 'representation'));
}

/** SHA-256 in hex of what was frozen: another one of the same name has another. */
export async function frozenDigest(directory: string): Promise<string> {
  const ready = await readyIn(directory);
  if (ready) return ready.digest;
  return sha256Hex(await fileOf(directory, INDEX_FILE));
}

function requireFreezable(
  run: string,
  { representation = {} }: { representation?: Parameters<typeof whyUnpublishable>[0] },
): void {
  const why = whyUnpublishable(representation);
  if (why === undefined) return;
  throw new TacetError(
    'not-certified',
    `${run}: ${why}, so that it has no bundle and cannot be frozen`,
  );
}

/** The weights are those of the architecture, and there are no others. */
function requireRepresentation(fields: ManifestFields, weights: NamedArrays): void {
  const { representation } = representedBy(fields.name, fields);
  const own = partOf(weights, 'representation');
  requireWeights('representation', own, representationWeights(representation));
  if (Object.keys(own).length !== Object.keys(weights).length)
    throw new TacetError('bundle-invalid', 'the weights hold more than a representation');
}

async function measuredScores(run: string): Promise<Record<string, number>> {
  const found = await readMeasurements(run);
  const f1 = found?.released?.noiseOff.binaryToken.f1;
  const limit = found?.bounds?.certified.bound;
  return {
    ...(f1 && statedScore('binary token F1 on held-out notes, trained on releases', f1)),
    ...(limit && statedScore(`${LIMIT_OF_PAIRS}, held-out notes`, limit)),
  };
}

async function digestsIn(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .filter((name) => name !== INDEX_FILE)
    .sort();
  const digests = await Promise.all(
    files.map(
      async (name) => [name, sha256Hex(await readFile(path.join(directory, name)))] as const,
    ),
  );
  return Object.fromEntries(digests);
}

async function fileOf(directory: string, name: string): Promise<Buffer> {
  const file = path.join(directory, name);
  const bytes = await bytesIfThere(file);
  if (bytes) return bytes;
  throw new TacetError('file-not-found', `${file}: expected it of a finished representation`);
}

async function jsonOf(directory: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  return jsonIn(await fileOf(directory, name), path.join(directory, name));
}

/** The fields of a JSON object. Throws `bundle-invalid`, naming the file. */
function jsonIn(bytes: Uint8Array, file: string): Readonly<Record<string, unknown>> {
  const message = `${file}: expected a JSON object; freeze the run again`;
  const value = requireJson(bytes, 'bundle-invalid', message);
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new TacetError('bundle-invalid', message);
}
