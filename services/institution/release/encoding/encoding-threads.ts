import { setImmediate } from 'node:timers/promises';
import type { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { longestFirst, releaseEach, sentenceRows } from '../../../../models/networks/release.js';
import { elementWriter } from '../../../../models/networks/release-elements.js';
import { Releaser } from '../../../../models/networks/releaser.js';
import type { Representation } from '../../../../models/networks/representation.js';
import { nativeFunction } from '../../../../models/tensor/addon.js';
import * as tf from '../../../../models/tensor/tf.js';
import { ELEMENT_BYTES } from '../../../../proto/element.js';
import { SpareBlocks } from '../../../../proto/spare-blocks.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';
import { CorpusReader } from '../notes/corpus-reader.js';
import { Encodings } from './encodings.js';

/** How the numbers of a release are stored. */
export const ELEMENT_TYPE = 'float16';
/** Encoded at one time on this thread: short enough for other calls to run in between. */
const BATCH_SENTENCES = 64;
/** More threads would wait for the one that writes. */
const MOST_RELEASING = 8;

/**
 * Threads that read and that encode, beside the one that knows the ledger. They start with the first
 * job that is worth it.
 */
export class EncodingThreads {
  readonly reader = new CorpusReader();
  /** Of segments that are written. */
  readonly spareBlocks = new SpareBlocks();
  readonly #releaser: Releaser;
  readonly #spare: ArrayBuffer[] = [];
  /** Of this object's own making; what was encoded elsewhere is of no use here. */
  readonly #own = new WeakSet<ArrayBufferLike>();

  constructor(representation: Representation) {
    const processors = tf.getBackend() === 'native' ? nativeFunction('threadCount')() : 1;
    const threads = Math.min(processors, MOST_RELEASING);
    this.#releaser = new Releaser(representation, { elementType: ELEMENT_TYPE, threads });
  }

  /** One release of each sentence (ids of the vocabulary). */
  async encode(sentences: readonly Int32Array[], vocabulary: Vocabulary): Promise<Encodings> {
    const shared = await this.#releaser.release(vocabulary, sentences);
    const elements = this.#room(shared.length);
    // Out of shared memory at once: sentence by sentence, at odd places, V8 would copy byte by byte.
    elements.set(shared);
    this.#releaser.recycle(shared);
    return new Encodings(elements, sentences);
  }

  /** Takes back the memory of releases that are packed. */
  recycle({ elements: { buffer } }: Encodings): void {
    if (this.#own.delete(buffer)) this.#spare.push(buffer as ArrayBuffer);
  }

  #room(bytes: number): Uint8Array {
    const spare = this.#spare.pop();
    const buffer = spare && spare.byteLength >= bytes ? spare : new ArrayBuffer(bytes);
    this.#own.add(buffer);
    return new Uint8Array(buffer, 0, bytes);
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
  const tokens = sentences.reduce((sum, { length }) => sum + length, 0);
  const tokenBytes = representation.config.dimension * ELEMENT_BYTES[ELEMENT_TYPE];
  const elements = new Uint8Array(tokens * tokenBytes);
  const all = sentenceRows(sentences);
  const order = longestFirst(all);
  const write = elementWriter(ELEMENT_TYPE, representation.config.dimension);
  for (let from = 0; from < order.length; from += BATCH_SENTENCES) {
    const some = order.subarray(from, from + BATCH_SENTENCES);
    releaseEach(representation, vocabulary, all, some, (batch) => {
      write(batch, all.starts, elements);
    });
    await setImmediate();
  }
  return new Encodings(elements, sentences);
}
