import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Random } from '../tensor/random.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { type Batch, tokensOf } from './data/batch.js';
import type { PartlyReadExample, VectorExample } from './data/examples.js';
import { interleaved } from './data/interleaved.js';
import { joinedBuckets } from './data/joined-pieces.js';
import type { OwnText } from './data/own-text.js';
import { examplesOfEpoch } from './data/turns.js';
import type { StageContext } from './run/stage-context.js';
import {
  type SupervisedConfig,
  type SupervisedResult,
  type Supply,
  trainOnBoth,
  trainOnVectors,
} from './supervised.js';

/** Released sentences that are read anew for each epoch, shuffled in an order of its own. */
export interface VectorSource {
  /** d */
  readonly dimension: number;
  readonly sentences: number;
  /** Of all sentences together. */
  readonly tokens: number;
  /** The same epoch gives the same order. An example is the reader's to keep. */
  read(epoch: number): AsyncIterable<VectorExample>;
}

export interface PooledConfig extends SupervisedConfig {
  readonly seed: number;
  readonly validationShare: number;
}

export interface PooledResult extends SupervisedResult {
  /** The sentences that ended the training, each with its weight, in the order of their draws. */
  readonly validation: readonly VectorExample[];
}

/** Batches gathered before they are cut by length: what training holds of a source at a time. */
const GATHERED_BATCHES = 64;
/** The validation part is held for the whole run: of a larger pool it is a smaller share. */
const VALIDATION_BYTES = 128 * 2 ** 20;
const VALUE_BYTES = 4;
const SEEDS = 2 ** 32;

/**
 * The pooled model, on released vectors [T·d] alone, in memory that does not grow with the pool. The
 * pool does not know which sentences come from one document, so its validation part is drawn by
 * sentence: by a hash of its vectors and the seed, whatever order it comes in. A sentence counts its weight in
 * the losses, so that what stands several times among the releases counts as often as what stands once.
 */
export async function trainPooled(
  source: VectorSource,
  scheme: LabelScheme,
  config: PooledConfig,
  context: StageContext,
): Promise<PooledResult> {
  const pool = new Pool(source, config);
  const labels = scheme.labels.length;
  const result = await trainOnVectors(pool, source.dimension, labels, config, context);
  try {
    await pool.gatherValidation();
    return { ...result, validation: pool.held() };
  } catch (error) {
    result.deidentifier.dispose();
    throw error;
  }
}

/**
 * As `trainPooled`, and on text of one's own beside it, whose words the network reads too: one network of both, which has
 * read text in clear and stays where that is. Each sentence of either counts once an epoch; what validates is a part of
 * both.
 */
export async function trainPooledWithText(
  source: VectorSource,
  text: OwnText,
  vocabulary: Vocabulary,
  scheme: LabelScheme,
  config: PooledConfig,
  context: StageContext,
): Promise<SupervisedResult> {
  const pool = new Pool<PartlyReadExample>(source, config, text);
  return trainOnBoth(pool, vocabulary, source.dimension, scheme.labels.length, config, context);
}

const NO_TEXT = { train: [], validation: [] };

/** Parts a source into what trains and what validates, as it passes, with text of one's own in either part. */
class Pool<E extends VectorExample = VectorExample> implements Supply<VectorExample | E> {
  /** By draw, in hex, so that their order is that of no epoch. */
  readonly #validation = new Map<string, VectorExample>();
  readonly #share: number;
  readonly tokensPerEpoch: number;

  constructor(
    readonly source: VectorSource,
    readonly config: PooledConfig,
    readonly text: OwnText<E> = NO_TEXT,
  ) {
    const bytes = source.tokens * source.dimension * VALUE_BYTES;
    this.#share = Math.min(config.validationShare, VALIDATION_BYTES / bytes);
    this.tokensPerEpoch =
      Math.round(source.tokens * (1 - this.#share)) + tokensOf(examplesOfEpoch(text, 1));
  }

  async *batches(random: Random, epoch: number): AsyncGenerator<Batch<VectorExample | E>> {
    const { batchSentences } = this.config;
    let gathered: (VectorExample | E)[] = [];
    const own = new Set<VectorExample>(this.text.train);
    for await (const example of this.#read(random, epoch)) {
      if (!own.has(example) && this.#validates(example)) continue;
      gathered.push(example);
      if (gathered.length < GATHERED_BATCHES * batchSentences) continue;
      yield* joinedBuckets(gathered, batchSentences, random);
      gathered = [];
    }
    yield* joinedBuckets(gathered, batchSentences, random);
  }

  *validation(): Generator<Batch<VectorExample | E>> {
    yield* joinedBuckets([...this.held(), ...this.text.validation], this.config.batchSentences);
  }

  /**
   * What of the source validates, known once an epoch was read, and the same after any. Throws `corpus-invalid` where it
   * is none.
   */
  held(): VectorExample[] {
    if (this.#validation.size === 0) {
      throw new TacetError(
        'corpus-invalid',
        'no sentence was drawn for validation: the snapshot is too small, or validationShare is',
      );
    }
    const draws = [...this.#validation.keys()].sort();
    return draws.map((draw) => this.#validation.get(draw) as VectorExample);
  }

  /** Reads the source once where no epoch has: a run may go on from the end of its last. */
  async gatherValidation(): Promise<void> {
    if (this.#validation.size > 0) return;
    for await (const example of this.source.read(1)) this.#validates(example);
  }

  /** The source's sentences and those of the text, in an order of its own for each epoch. */
  #read(random: Random, epoch: number): AsyncIterable<VectorExample | E> {
    const { source, text } = this;
    const released = source.read(epoch);
    if (text.train.length === 0) return released;
    const own = [...examplesOfEpoch(text, epoch)];
    random.shuffle(own);
    const streams = [
      { count: source.sentences, values: each(released) },
      { count: own.length, values: each(own) },
    ];
    return interleaved<VectorExample | E>(streams, random.integer(SEEDS));
  }

  #validates(example: VectorExample): boolean {
    const draw = createHash('sha256').update(`${this.config.seed}/`).update(example.vectors);
    const digest = draw.digest();
    const isHeld = digest.readUInt32LE(0) < this.#share * 2 ** 32;
    if (isHeld) this.#validation.set(digest.toString('hex'), example);
    return isHeld;
  }
}

async function* each<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* values;
}
