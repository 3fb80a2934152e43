/**
 * The sentences of a job in portions that fit into memory, whatever the size of the job.
 *
 * An encoder shuffles over all documents of a job before it writes (DESIGN section 9), and no text may
 * be on disk meanwhile. So a job with more sentences than are held at once is read several times, and
 * each reading keeps another share of the sentences: which one a sentence belongs to follows from the
 * ledger's keyed hash of it, so each portion is a random sample of the whole job, and the copies of
 * one sentence are in one portion.
 */
import { setImmediate } from 'node:timers/promises';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { Progress } from '../../models/progress.js';
import type { Document } from '../../models/text/document.js';
import { sentencesOf } from '../../models/text/labelled-sentence.js';
import type { EncodingModel } from './encoding-model.js';
import type { Ledger } from './ledger.js';
import { type Sentence, sentenceOf } from './sentence.js';

/** Documents at hand, or files that can be read again. */
export type DocumentSource = readonly Document[] | (() => AsyncIterable<Document>);

/** A sentence with the ledger's hash of its rows. */
export interface HashedSentence extends Sentence {
  readonly hash: Buffer;
}

export interface Portion {
  /** What may still be released, in the order of the documents. */
  readonly sentences: HashedSentence[];
  /** Numbers the rows of this portion's sentences. */
  readonly vocabulary: Vocabulary;
  /** Of the whole job. */
  readonly documentCount: number;
  /** Of the whole job, with those that may not be released again. */
  readonly sentenceCount: number;
  readonly number: number;
  /** How many portions there are. */
  readonly count: number;
}

export interface PortionOptions {
  /** How often one sentence may be released, under whatever models, by this job and all before it. */
  readonly maxReleases: number;
  /** The most sentences that are held at once. */
  readonly mostSentences?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** Some 5,000 notes: a few hundred megabytes, all told. */
const MOST_SENTENCES = 2 ** 17;
/** A vocabulary this small is not worth renumbering. */
const FEW_WORDS = 2 ** 15;

/** Throws what reading throws. */
export async function* portionsOf(
  source: DocumentSource,
  model: EncodingModel,
  ledger: Ledger,
  options: PortionOptions,
): AsyncGenerator<Portion> {
  for (let number = 0, count = 1; number < count; number++) {
    const reading = new Reading(model, ledger, options, { number, count });
    await reading.read(source);
    const portion = reading.portion();
    count = portion.count;
    yield portion;
  }
}

/** One pass over the documents. */
class Reading {
  readonly #number: number;
  #count: number;
  #documents = 0;
  #sentences = 0;
  #vocabulary: Vocabulary;
  #mostWords = FEW_WORDS;
  #kept: HashedSentence[] = [];
  /** By hash in hex, how often each sentence was kept. */
  readonly #copies = new Map<string, number>();

  constructor(
    private readonly model: EncodingModel,
    private readonly ledger: Ledger,
    private readonly options: PortionOptions,
    { number, count }: Pick<Portion, 'number' | 'count'>,
  ) {
    this.#number = number;
    this.#count = count;
    this.#vocabulary = new Vocabulary(model.vocabulary.embeddings);
  }

  portion(): Portion {
    return {
      sentences: this.#kept,
      vocabulary: this.#vocabulary,
      documentCount: this.#documents,
      sentenceCount: this.#sentences,
      number: this.#number,
      count: this.#count,
    };
  }

  async read(source: DocumentSource): Promise<void> {
    const { signal, progress } = this.options;
    for await (const document of typeof source === 'function' ? source() : source) {
      signal?.throwIfAborted();
      for (const sentence of sentencesOf(document, this.model.scheme, this.#documents))
        this.#take(sentenceOf(sentence, this.#vocabulary));
      this.#documents++;
      // Documents at hand come without a pause for other work.
      await setImmediate();
      progress?.({
        step: 'read',
        done: this.#documents,
        unit: 'documents',
        ...(this.#number > 0 && { note: `portion ${this.#number + 1} of ${this.#count}` }),
      });
    }
  }

  #take(sentence: Sentence): void {
    this.#sentences++;
    const keys = Array.from(sentence.rows, (id) => this.#vocabulary.key(id));
    const hash = this.ledger.hashSentence(keys);
    if (this.#isOwn(hash) && this.#isReleasable(hash)) this.#kept.push({ ...sentence, hash });
    this.#split();
    if (this.#vocabulary.size > this.#mostWords) this.#renumber();
  }

  #isOwn(hash: Buffer): boolean {
    return hash.readUInt32LE() % this.#count === this.#number;
  }

  #isReleasable(hash: Buffer): boolean {
    const name = hash.toString('hex');
    const copies = this.#copies.get(name) ?? 0;
    if (copies + this.ledger.releasesOf(hash) >= this.options.maxReleases) return false;
    this.#copies.set(name, copies + 1);
    return true;
  }

  /** The first reading finds out how many portions there must be: halves what it keeps. */
  #split(): void {
    const { mostSentences = MOST_SENTENCES } = this.options;
    while (this.#number === 0 && this.#copies.size > 1 && this.#kept.length > mostSentences) {
      this.#count *= 2;
      this.#kept = this.#kept.filter(({ hash }) => this.#isOwn(hash));
      this.#copies.clear();
      for (const { hash } of this.#kept) {
        const name = hash.toString('hex');
        this.#copies.set(name, (this.#copies.get(name) ?? 0) + 1);
      }
    }
  }

  /** Leaves words behind that stand in no sentence that was kept. */
  #renumber(): void {
    const before = this.#vocabulary;
    const after = new Vocabulary(before.embeddings);
    const renumbered = new Map<number, number>();
    for (const { rows } of this.#kept) {
      for (const [t, id] of rows.entries()) {
        const known = renumbered.get(id) ?? after.idOfSame(before, id);
        renumbered.set(id, known);
        rows[t] = known;
      }
    }
    this.#vocabulary = after;
    this.#mostWords = Math.max(FEW_WORDS, 2 * after.size);
  }
}
