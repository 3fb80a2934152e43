import { createHash } from 'node:crypto';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { Releaser } from '../../models/networks/releaser.js';
import type { Representation } from '../../models/networks/representation.js';
import type { TextExample, VectorExample } from '../../models/training/data/examples.js';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { bytesIfThere } from '../../platform/files/optional-file.js';
import { decodeElements, ELEMENT_BYTES } from '../../proto/element.js';
import { TacetError } from '../../proto/errors.js';
import type { Work } from '../runs/subject.js';

const BATCH_SENTENCES = 512;
/** As contributions to a pool are rounded. */
const ELEMENT_TYPE = 'float16';

/** SHA-256 of what the releases of a file are of, before the releases. */
const KEY_BYTES = 32;

/**
 * Every sentence encoded exactly once, as a pool would get it. The noise has no
 * seed and comes only once: `file` keeps the vectors, so that work that was interrupted goes on with them
 * and never draws again. Throws `checkpoint-invalid` where it keeps those of other sentences, of the same ones with
 * other labels, or of another representation, and `file-unreadable`.
 */
export async function releaseOnce(
  file: string,
  examples: readonly TextExample[],
  representation: Representation,
  vocabulary: Vocabulary,
  work: Work,
): Promise<VectorExample[]> {
  const d = representation.config.dimension;
  const key = keyOf(examples, representation, vocabulary);
  const kept = await bytesIfThere(file);
  if (kept && !kept.subarray(0, KEY_BYTES).equals(key)) throw ofOthers(file);
  const bytes =
    kept?.subarray(KEY_BYTES) ??
    (await releaseAll(file, key, examples, representation, vocabulary, work));
  let at = 0;
  const released = examples.map(({ ids, labels }) => {
    const size = ids.length * d * ELEMENT_BYTES[ELEMENT_TYPE];
    const vectors = decodeElements(bytes.subarray(at, at + size), ELEMENT_TYPE);
    at += size;
    return { vectors, labels };
  });
  if (at !== bytes.length) throw ofOthers(file);
  return released;
}

/** By words and not by their ids, which are numbered as words are met. */
function keyOf(
  examples: readonly TextExample[],
  { config, parameters }: Representation,
  vocabulary: Vocabulary,
): Buffer {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([config, vocabulary.embeddings.identity, examples.length]));
  for (const [name, { shape, data }] of Object.entries(parameters.toArrays())) {
    hash.update(JSON.stringify([name, shape])).update(data);
  }
  for (const { ids, labels } of examples) {
    const words = Array.from(ids, (id) => [vocabulary.key(id), vocabulary.casing(id)]);
    hash.update(JSON.stringify([words, [...labels]]));
  }
  return hash.digest();
}

function ofOthers(file: string): TacetError {
  return new TacetError(
    'checkpoint-invalid',
    `${file} holds other sentences than this run has, or releases of another representation; remove it, and they are ` +
      'encoded afresh',
  );
}

async function releaseAll(
  file: string,
  key: Buffer,
  examples: readonly TextExample[],
  representation: Representation,
  vocabulary: Vocabulary,
  { signal, progress }: Work,
): Promise<Buffer> {
  const releaser = new Releaser(representation, { elementType: ELEMENT_TYPE });
  const parts: Uint8Array[] = [];
  try {
    for (let from = 0; from < examples.length; from += BATCH_SENTENCES) {
      progress?.({ step: 'encoding', done: from, total: examples.length, unit: 'sentences' });
      const batch = examples.slice(from, from + BATCH_SENTENCES).map(({ ids }) => ids);
      parts.push(await releaser.release(vocabulary, batch, { signal }));
    }
  } finally {
    await releaser.close();
  }
  const bytes = Buffer.concat(parts);
  await writeAtomically(file, [key, bytes]);
  return bytes;
}
