/**
 * The sentences of a job in portions that fit into memory, whatever the size of the job.
 *
 * An encoder shuffles over all documents of a job before it writes (docs/design.md, Releases), and no text may
 * be on disk meanwhile. So a job with more sentences than are held at once is read several times, and
 * each reading keeps another share of the sentences: which one a sentence belongs to follows from the
 * ledger's keyed hash of it, so each portion is a random sample of the whole job, and all that counts as
 * one sentence is in one portion. Where entities are replaced, the hash is of its place in a copy of the masked note.
 */
import type { EncodingModel } from '../../bundles/encoding-model.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ReadChunk } from '../notes/note-source.js';
import type { Portion } from './portion.js';
import { type PortionOptions, PortionReading } from './portion-reading.js';

/**
 * `read` reads the whole job, once for each portion; a portion is valid until the next one is asked
 * for. Throws what reading throws.
 */
export async function* portionsOf(
  read: () => AsyncIterable<ReadChunk>,
  model: EncodingModel,
  ledger: Ledger,
  options: PortionOptions,
): AsyncGenerator<Portion> {
  const reading = new PortionReading(model, ledger, options);
  for (let number = 0; number < reading.count; number++) {
    reading.begin(number);
    for await (const chunk of read()) reading.take(chunk);
    yield reading.portion();
  }
}
