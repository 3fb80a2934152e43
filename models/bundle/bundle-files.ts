import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TacetError } from '../../proto/errors.js';

export const MANIFEST_FILE = 'manifest.json';
export const SIGNATURE_FILE = 'signature.json';
/** OpenSSF's, beside ours. */
export const MODEL_SIGNATURE_FILE = 'model.sig';
export const WEIGHTS_FILE = 'weights.safetensors';
export const ONNX_FILE = 'representation.onnx';
/** Bundles with a de-identifier that were made before it was exported lack it. */
export const DEIDENTIFIER_ONNX_FILE = 'deidentifier.onnx';
export const INVENTORY_FILE = 'inventory.json';
export const CURVE_FILE = 'training.json';
export const MODEL_CARD_FILE = 'MODEL_CARD.md';

/** No bundle has it, every training run does. */
const RUN_FILE = 'metrics.jsonl';

const SAFE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;
const MAX_FILES = 64;
/** Of each file. */
export const MAX_FILE_BYTES = 2 ** 31 - 1;

/**
 * The names of a bundle's files. Throws `bundle-file-unsafe` at a symbolic link, a folder or anything
 * else that is no plain file: a digest must speak of the very bytes that are loaded; and
 * `bundle-file-extra` at a hidden file or one whose name no bundle has, and `bundle-invalid` at the
 * directory of a training run.
 */
export async function listBundleFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    throw new TacetError('file-not-found', `${directory}: expected a bundle directory`);
  });
  if (entries.some(({ name }) => name === RUN_FILE))
    throw new TacetError(
      'bundle-invalid',
      `${directory}: expected a bundle, found the directory of a training run; give what ` +
        'tacet bundle create makes of it',
    );
  if (entries.length > MAX_FILES)
    throw new TacetError('bundle-invalid', `${directory}: more than ${MAX_FILES} files`);
  for (const { name } of entries) {
    if (!(await lstat(join(directory, name))).isFile()) throw unsafe(directory, name);
    if (!SAFE_NAME.test(name)) throw extra(directory, name);
  }
  return entries.map(({ name }) => name).sort();
}

/** One file, read once: what is digested is what is used. */
export async function readBundleFile(directory: string, name: string): Promise<Buffer> {
  const handle = await open(join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ELOOP') throw unsafe(directory, name);
      throw new TacetError('file-unreadable', `${join(directory, name)}: ${error.code}`);
    },
  );
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw unsafe(directory, name);
    if (found.size > MAX_FILE_BYTES)
      throw new TacetError('bundle-invalid', `${join(directory, name)}: ${found.size} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function unsafe(directory: string, name: string): TacetError {
  return new TacetError(
    'bundle-file-unsafe',
    `${join(directory, name)}: expected a plain file; links and folders are refused`,
  );
}

function extra(directory: string, name: string): TacetError {
  return new TacetError(
    'bundle-file-extra',
    `${join(directory, name)}: no file of a bundle has such a name; remove it`,
  );
}
