import { setImmediate } from 'node:timers/promises';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { releaseEach } from '../../models/networks/release.js';
import { Releaser } from '../../models/networks/releaser.js';
import type { Representation } from '../../models/networks/representation.js';
import { nativeFunction } from '../../models/tensor/addon.js';
import * as tf from '../../models/tensor/tf.js';
import { ELEMENT_BYTES, encodeElements } from '../../proto/element.js';
import { CorpusReader } from './corpus-reader.js';
import type { EncodingModel } from './encoding-model.js';
import { Encodings } from './encodings.js';

/** How the numbers of a release are stored. */
export const ELEMENT_TYPE = 'float16';
/** Encoded at one time on this thread: short enough for other calls to run in between. */
const BATCH_SENTENCES = 64;
/** Encoded at one time on a thread of its own: some 10 ms. */
const TASK_SENTENCES = 256;
/** More threads would wait for the one that writes. */
const MOST_RELEASING = 8;

/**
 * Threads that read and that encode, beside the one that knows the ledger. They start with the first
 * job that is worth it.
 */
export class EncodingThreads {
  readonly reader = new CorpusReader();
  readonly #releaser: Releaser;

  constructor(private readonly representation: Representation) {
    const processors =
      tf.getBackend() === 'native' ? (nativeFunction('threadCount')() as number) : 1;
    const threads = Math.min(processors, MOST_RELEASING);
    this.#releaser = new Releaser(representation, { elementType: ELEMENT_TYPE, threads });
  }

  /** One release of each sentence (ids of the vocabulary). */
  async encode(sentences: readonly Int32Array[], vocabulary: Vocabulary): Promise<Encodings> {
    const encodings = new Encodings(sentences, tokenBytes(this.representation));
    // The long ones first, so that no thread is left alone with them in the end.
    const order = byLength(sentences).reverse();
    const tasks = split(order, TASK_SENTENCES).map(async (task) => {
      const rows = task.map((i) => sentences[i] as Int32Array);
      encodings.set(task, await this.#releaser.release(vocabulary, rows));
    });
    await Promise.all(tasks);
    return encodings;
  }

  async close(): Promise<void> {
    await Promise.all([this.reader.close(), this.#releaser.close()]);
  }
}

/** As `EncodingThreads.encode` on this thread, with pauses in which it can do other work. */
export async function encodeHere(
  sentences: readonly Int32Array[],
  { representation, vocabulary }: Pick<EncodingModel, 'representation' | 'vocabulary'>,
): Promise<Encodings> {
  const encodings = new Encodings(sentences, tokenBytes(representation));
  for (const batch of split(byLength(sentences), BATCH_SENTENCES)) {
    const rows = batch.map((i) => sentences[i] as Int32Array);
    releaseEach(representation, vocabulary, rows, (at, vectors) => {
      encodings.set([batch[at] as number], encodeElements(vectors, ELEMENT_TYPE));
    });
    await setImmediate();
  }
  return encodings;
}

function tokenBytes({ config }: Representation): number {
  return config.dimension * ELEMENT_BYTES[ELEMENT_TYPE];
}

function byLength(sentences: readonly Int32Array[]): number[] {
  const length = (i: number) => (sentences[i] as Int32Array).length;
  return sentences.map((_, i) => i).sort((a, b) => length(a) - length(b));
}

function split<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}
