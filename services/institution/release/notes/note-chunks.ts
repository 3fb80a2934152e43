/**
 * Labelled notes as numbers: what crosses from the thread that reads to the one that encodes. Each
 * spelling is sent once and then named by its number, so that neither thread handles text a second
 * time.
 */
import { setImmediate } from 'node:timers/promises';
import type { Document, Span } from '../../../../models/text/document.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { type LabelledSentence, sentencesOf } from '../../../../models/text/labelled-sentence.js';
import type { SecondReader } from '../suspects/second-reader.js';
import type { ReplacedDocument, Replacer } from './replacer.js';
import { SpansAsText } from './spans-as-text.js';

export interface NoteChunk {
  /** [notes], sentences of each; no note is in two chunks. */
  readonly documents: Int32Array;
  /** [notes, copies, 32], what each copy is called once its entities are replaced; empty where they are kept. */
  readonly names: Uint8Array;
  /** [notes, copies, 96], `text`, `earlierText` and `drawn` of each, see `ReplacedDocument`; empty where entities are kept. */
  readonly draws: Uint8Array;
  /** [S, 2], of which copy of the note each sentence is, and where it stands there; empty where entities are kept. */
  readonly places: Int32Array;
  /** Entities that were replaced. */
  readonly replaced: number;
  /** Entities of types that are kept where the others are replaced. */
  readonly kept: number;
  /** By type, labelled entities that the scheme takes for text, see `SpansAsText`. */
  readonly asText: Readonly<Record<string, number>>;
  /** [S], 1 where a sentence is left out for what a second reader suspects in it; empty where it is not asked. */
  readonly suspected: Uint8Array;
  /** [types], what a second reader found of each type of the scheme. */
  readonly suspects: Int32Array;
  /** Whether spellings are numbered from zero again, with this chunk. */
  readonly restarts: boolean;
  /** New spellings, numbered on from those before. */
  readonly spellings: readonly string[];
  /** [S], tokens of each sentence. */
  readonly lengths: Int32Array;
  /** [ΣT], numbers of spellings. */
  readonly words: Int32Array;
  /** [ΣT] */
  readonly labels: Uint8Array;
}

/** Large enough to cost little to send, small enough to be on the way soon. */
const CHUNK_TOKENS = 8192;
/** Spellings that are remembered; text may have any number of them. */
const MOST_SPELLINGS = 2 ** 16;

/**
 * With a replacer, of the notes with their entities replaced. Throws what reading throws,
 * `label-unknown` and `inventory-missing`.
 */
export async function* chunksOf(
  documents: AsyncIterable<Document> | Iterable<Document>,
  scheme: LabelScheme,
  replacement?: Replacing,
): AsyncGenerator<NoteChunk> {
  let chunk = new Chunk(scheme, new Map(), true);
  let index = 0;
  for await (const document of documents) {
    if (replacement) await chunk.addCopies(document, replacement, index++);
    else chunk.addWhole(document, index++);
    if (chunk.tokens < CHUNK_TOKENS) continue;
    yield chunk.finish();
    chunk = chunk.next();
    // Documents at hand come without a pause for other work.
    await setImmediate();
  }
  if (chunk.holdsDocuments) yield chunk.finish();
}

interface Replacing {
  readonly replacer: Replacer;
  readonly reader?: SecondReader | undefined;
}

class Chunk {
  tokens = 0;
  readonly #documents: number[] = [];
  readonly #names: Buffer[] = [];
  readonly #draws: Buffer[] = [];
  readonly #places: number[] = [];
  #replaced = 0;
  #kept = 0;
  readonly #asText: SpansAsText;
  readonly #suspected: number[] = [];
  readonly #suspects: Int32Array;
  readonly #spellings: string[] = [];
  readonly #sentences: LabelledSentence[] = [];

  constructor(
    private readonly scheme: LabelScheme,
    private readonly numbers: Map<string, number>,
    private readonly restarts: boolean,
  ) {
    this.#asText = new SpansAsText(scheme);
    this.#suspects = new Int32Array(scheme.types.length);
  }

  get holdsDocuments(): boolean {
    return this.#documents.length > 0;
  }

  /** Adds the sentences of one document, its entities as they are. */
  addWhole(document: Document, index: number): void {
    this.#asText.add(document.spans);
    this.#add(sentencesOf(document, this.scheme, index));
  }

  #add(sentences: readonly LabelledSentence[]): void {
    for (const sentence of sentences) {
      this.#sentences.push(sentence);
      this.tokens += sentence.tokens.length;
    }
    this.#documents.push(sentences.length);
  }

  /**
   * Adds the sentences of all copies of one document. Of those without an entity the first copy alone: they
   * would be the same ones again, and more releases of them would only take noise off.
   */
  async addCopies(
    document: Document,
    { replacer, reader }: Replacing,
    index: number,
  ): Promise<void> {
    this.#asText.add(document.spans);
    const all: LabelledSentence[] = [];
    const copies = await replacer.copiesOf(document, this.scheme, reader);
    for (const [copy, replaced] of copies.entries()) {
      if (copy === 0) this.#count(replaced);
      const placed = sentencesOf(replaced.document, this.scheme, index)
        .map((sentence, ordinal) => ({ sentence, ordinal }))
        .filter(({ sentence }) => copy === 0 || sentence.labels.some((label) => label !== 0));
      this.#names.push(replaced.name);
      this.#draws.push(replaced.text, replaced.earlierText, replaced.drawn);
      for (const { ordinal } of placed) this.#places.push(copy, ordinal);
      const sentences = placed.map(({ sentence }) => sentence);
      if (reader?.treatment === 'withhold') this.#suspect(sentences, replaced.suspects);
      all.push(...sentences);
    }
    this.#add(all);
  }

  /** What is counted once for a document, however many copies there are. */
  #count({ entities, kept, suspects }: ReplacedDocument): void {
    this.#replaced += entities;
    this.#kept += kept;
    for (const { type } of suspects) {
      const at = this.scheme.types.indexOf(type);
      this.#suspects[at] = (this.#suspects[at] as number) + 1;
    }
  }

  #suspect(sentences: readonly LabelledSentence[], suspects: readonly Span[]): void {
    for (const { tokens } of sentences) {
      const [start, end] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
      this.#suspected.push(suspects.some((each) => each.start < end && each.end > start) ? 1 : 0);
    }
  }

  finish(): NoteChunk {
    const { restarts, tokens } = this;
    const documents = Int32Array.from(this.#documents);
    const lengths = Int32Array.from(this.#sentences, (sentence) => sentence.tokens.length);
    const words = new Int32Array(tokens);
    const labels = new Uint8Array(tokens);
    let at = 0;
    for (const sentence of this.#sentences) {
      labels.set(sentence.labels, at);
      for (const { text } of sentence.tokens) words[at++] = this.#numberOf(text);
    }
    const names = Uint8Array.from(Buffer.concat(this.#names));
    const draws = Uint8Array.from(Buffer.concat(this.#draws));
    const suspected = Uint8Array.from(this.#suspected);
    const places = Int32Array.from(this.#places);
    const read = { places, suspected, suspects: this.#suspects };
    const counts = { replaced: this.#replaced, kept: this.#kept, asText: this.#asText.counts };
    const own = { documents, names, draws, ...read, ...counts, lengths, words, labels };
    return { ...own, restarts, spellings: this.#spellings };
  }

  next(): Chunk {
    const isFull = this.numbers.size >= MOST_SPELLINGS;
    return new Chunk(this.scheme, isFull ? new Map() : this.numbers, isFull);
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
