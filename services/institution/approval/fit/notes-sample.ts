import { Random } from '../../../../models/tensor/random.js';
import {
  type PlacedDocument,
  placedDocuments,
} from '../../../../models/text/corpus/read-corpus.js';
import { TacetError } from '../../../../proto/errors.js';

/** Equal notes give an equal sample. */
const SEED = 1;

/**
 * Up to `most` labelled notes of a file or folder with their places, every one as likely as any other (Vitter 1985,
 * algorithm R), in memory that does not grow with the corpus. Throws as `readCorpus` does, and
 * `corpus-invalid` where there is none.
 */
export async function sampleNotes(
  path: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<PlacedDocument[]> {
  const random = new Random(SEED).fork('sample of notes');
  const sample: PlacedDocument[] = [];
  let read = 0;
  for await (const placed of placedDocuments(path)) {
    signal?.throwIfAborted();
    read++;
    const place = read <= most ? sample.length : random.integer(read);
    if (place < most) sample[place] = placed;
  }
  if (read > 0) return sample;
  throw new TacetError('corpus-invalid', `${path}: there are no notes; expected labelled ones`);
}
