import { Random } from '../../../../models/tensor/random.js';
import { readCorpus } from '../../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../../models/text/document.js';
import { TacetError } from '../../../../proto/errors.js';

/** Equal notes give an equal sample. */
const SEED = 1;

/**
 * Up to `most` labelled notes of a file or folder, every one as likely as any other (Vitter 1985,
 * algorithm R), in memory that does not grow with the corpus. Throws as `readCorpus` does, and
 * `corpus-invalid` where there is none.
 */
export async function sampleNotes(
  path: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<Document[]> {
  const random = new Random(SEED).fork('sample of notes');
  const sample: Document[] = [];
  let read = 0;
  for await (const document of readCorpus(path)) {
    signal?.throwIfAborted();
    read++;
    const place = read <= most ? sample.length : random.integer(read);
    if (place < most) sample[place] = document;
  }
  if (read > 0) return sample;
  throw new TacetError('corpus-invalid', `${path}: there are no notes; expected labelled ones`);
}
