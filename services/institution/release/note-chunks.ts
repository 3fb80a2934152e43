/**
 * Labelled notes as numbers: what crosses from the thread that reads to the one that encodes. Each
 * spelling is sent once and then named by its number, so that neither thread handles text a second
 * time.
 */
import { setImmediate } from 'node:timers/promises';
import type { Document } from '../../../models/text/document.js';
import type { LabelScheme } from '../../../models/text/label-scheme.js';
import { type LabelledSentence, sentencesOf } from '../../../models/text/labelled-sentence.js';

export interface NoteChunk {
  /** [notes], sentences of each; no note is in two chunks. */
  readonly documents: Int32Array;
  /** Whether spellings are numbered from zero again, with this chunk. */
  readonly restarts: boolean;
  /** New spellings, numbered on from those before. */
  readonly spellings: readonly string[];
  /** [S], tokens of each sentence. */
  readonly lengths: Int32Array;
  /** [ΣT], numbers of spellings. */
  readonly words: Int32Array;
  /** [ΣT] */
  readonly casing: Uint8Array;
  /** [ΣT] */
  readonly labels: Uint8Array;
}

/** Large enough to cost little to send, small enough to be on the way soon. */
const CHUNK_TOKENS = 8192;
/** Spellings that are remembered; text may have any number of them. */
const MOST_SPELLINGS = 2 ** 16;

/** Throws what reading throws, and `label-unknown`. */
export async function* chunksOf(
  documents: AsyncIterable<Document> | Iterable<Document>,
  scheme: LabelScheme,
): AsyncGenerator<NoteChunk> {
  let chunk = new Chunk(new Map(), true);
  let index = 0;
  for await (const document of documents) {
    chunk.add(sentencesOf(document, scheme, index++));
    if (chunk.tokens < CHUNK_TOKENS) continue;
    yield chunk.finish();
    chunk = chunk.next();
    // Documents at hand come without a pause for other work.
    await setImmediate();
  }
  if (chunk.holdsDocuments) yield chunk.finish();
}

class Chunk {
  tokens = 0;
  readonly #documents: number[] = [];
  readonly #spellings: string[] = [];
  readonly #sentences: LabelledSentence[] = [];

  constructor(
    private readonly numbers: Map<string, number>,
    private readonly restarts: boolean,
  ) {}

  get holdsDocuments(): boolean {
    return this.#documents.length > 0;
  }

  /** Adds the sentences of one document. */
  add(sentences: Iterable<LabelledSentence>): void {
    const before = this.#sentences.length;
    for (const sentence of sentences) {
      this.#sentences.push(sentence);
      this.tokens += sentence.tokens.length;
    }
    this.#documents.push(this.#sentences.length - before);
  }

  finish(): NoteChunk {
    const { restarts, tokens } = this;
    const documents = Int32Array.from(this.#documents);
    const lengths = Int32Array.from(this.#sentences, (sentence) => sentence.tokens.length);
    const words = new Int32Array(tokens);
    const casing = new Uint8Array(tokens);
    const labels = new Uint8Array(tokens);
    let at = 0;
    for (const sentence of this.#sentences) {
      casing.set(sentence.casing, at);
      labels.set(sentence.labels, at);
      for (const { text } of sentence.tokens) words[at++] = this.#numberOf(text);
    }
    return { documents, restarts, spellings: this.#spellings, lengths, words, casing, labels };
  }

  next(): Chunk {
    const isFull = this.numbers.size >= MOST_SPELLINGS;
    return new Chunk(isFull ? new Map() : this.numbers, isFull);
  }

  #numberOf(spelling: string): number {
    const known = this.numbers.get(spelling);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(spelling, number);
    this.#spellings.push(spelling);
    return number;
  }
}
