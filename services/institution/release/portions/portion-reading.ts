import { typeOfLabel } from '../../../../models/certification/entity.js';
import type { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { MAX_SENTENCE_TOKENS } from '../../../../models/text/sentence-splitter.js';
import type { Progress } from '../../../../platform/progress.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';
import type { Ledger } from '../ledger/ledger.js';
import type { DrawnNote } from '../ledger/ledger-documents.js';
import { framed } from '../ledger/ledger-key.js';
import { RowFrames } from '../ledger/row-frames.js';
import type { ReadChunk } from '../notes/note-source.js';
import { SpansAsText } from '../notes/spans-as-text.js';
import { mostReleases } from '../segments/most-releases.js';
import { DocumentEntities } from '../sentences/document-entities.js';
import { type Mention, mentionsOf, spelling } from '../sentences/sentence.js';
import { SentenceTable } from '../sentences/sentence-table.js';
import type { Portion } from './portion.js';
import { RedrawnCount } from './redrawn-count.js';
import { drawnOf, type Place, placeAt, replacedNoteAt, textOf } from './replaced-note.js';

export interface PortionOptions {
  /** How often one sentence may be released, under whatever models, by this job and all before it. */
  readonly maxReleases: number;
  /** How often each note leaves where entities are replaced, else 1. */
  readonly copies: number;
  /** The most sentences that are held at once. */
  readonly mostSentences?: number | undefined;
  /** The labels of a sentence whose entities will be asked for; none of them are without it. */
  readonly certified?: ((labels: Uint8Array) => Uint8Array) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** Some 5,000 notes: a few dozen megabytes, all told. */
const MOST_SENTENCES = 2 ** 17;
/** A vocabulary this small is not worth renumbering. */
const FEW_WORDS = 2 ** 15;
const NO_MENTIONS: readonly Mention[] = [];
const NO_HASH = Buffer.alloc(0);
/** One pass over the documents after another, in the same memory. */
export class PortionReading {
  count = 1;
  #number = 0;
  #documents = 0;
  #bad = 0;
  #sentences = 0;
  #replaced = 0;
  #keptEntities = 0;
  #asText: SpansAsText;
  #suspects: number[] = [];
  #suspected = 0;
  #inexact = 0;
  readonly #redrawn = new RedrawnCount();
  readonly #entities = new DocumentEntities();
  #ledgerVersion = 0;
  readonly #kept = new SentenceTable();
  readonly #drawn = new Map<number, DrawnNote>();
  /** Of each text of the job so far, in whatever portions, how it is drawn: by its first note of which anything may leave. */
  readonly #drawnOfText = new Map<string, number>();
  #vocabulary: Vocabulary;
  #mostWords = FEW_WORDS;
  /** By number, and what the vocabulary gives for each that was met since it was made. */
  #spellings: string[] = [];
  #idOfSpelling: number[] = [];
  /** Of the vocabulary's rows, for the ledger's hashes. */
  readonly #frames = new RowFrames();
  /** Of the sentence at hand. */
  readonly #rows = new Int32Array(MAX_SENTENCE_TOKENS);

  readonly #scheme: LabelScheme;
  readonly #mostReleases: number;
  readonly #copies: number;
  readonly #mostSentences: number;
  readonly #certified: PortionOptions['certified'];
  readonly #signal: AbortSignal | undefined;
  readonly #progress: Progress | undefined;

  constructor(
    model: EncodingModel,
    private readonly ledger: Ledger,
    options: PortionOptions,
  ) {
    this.#vocabulary = model.vocabulary.fresh();
    this.#scheme = model.scheme;
    this.#asText = new SpansAsText(model.scheme);
    this.#mostReleases = mostReleases(options);
    this.#copies = options.copies;
    this.#mostSentences = options.mostSentences ?? MOST_SENTENCES;
    this.#certified = options.certified;
    this.#signal = options.signal;
    this.#progress = options.progress;
  }

  begin(number: number): void {
    this.#number = number;
    this.#documents = 0;
    this.#bad = 0;
    this.#sentences = 0;
    this.#replaced = 0;
    this.#keptEntities = 0;
    this.#asText = new SpansAsText(this.#scheme);
    this.#suspects = [];
    this.#suspected = 0;
    this.#inexact = 0;
    this.#redrawn.clear();
    this.#ledgerVersion = this.ledger.version();
    this.#kept.clear();
    this.#drawn.clear();
    this.#drawnOfText.clear();
  }

  portion(): Portion {
    return {
      sentences: this.#kept,
      documents: this.#drawn,
      vocabulary: this.#vocabulary,
      ledgerVersion: this.#ledgerVersion,
      documentCount: this.#documents,
      badCount: this.#bad,
      inexactCount: this.#inexact,
      sentenceCount: this.#sentences,
      replacedCount: this.#replaced,
      keptCount: this.#keptEntities,
      asText: this.#asText.counts,
      suspects: this.#suspects,
      suspectedCount: this.#suspected,
      redrawnCount: this.#redrawn.total,
      documentEntities: this.#entities,
      number: this.#number,
      count: this.count,
    };
  }

  take(chunk: ReadChunk): void {
    this.#signal?.throwIfAborted();
    if (chunk.restarts) {
      this.#spellings = [];
      this.#idOfSpelling = [];
    }
    for (const spelling of chunk.spellings) this.#spellings.push(spelling);
    this.ledger.reading(() => this.#takeNotes(chunk));
    this.#bad += chunk.bad;
    this.#inexact += chunk.inexact;
    this.#replaced += chunk.replaced;
    this.#keptEntities += chunk.kept;
    this.#asText.join(chunk.asText);
    for (const [type, count] of chunk.suspects.entries())
      this.#suspects[type] = (this.#suspects[type] ?? 0) + count;
    this.#progress?.({
      step: 'read',
      done: this.#documents,
      unit: 'documents',
      ...(this.#number > 0 && { note: `portion ${this.#number + 1} of ${this.count}` }),
    });
  }

  #takeNotes(chunk: ReadChunk): void {
    let sentence = 0;
    let from = 0;
    for (const [note, sentences] of chunk.documents.entries()) {
      const lengths = chunk.lengths.subarray(sentence, sentence + sentences);
      const mentions = this.#mentionsOf(chunk, from, lengths);
      const replaced = replacedNoteAt(chunk, note, this.#copies);
      const suspected = chunk.suspected.subarray(sentence, sentence + sentences);
      const isElsewhere = replaced !== undefined && this.#isDrawnOtherwise(replaced.drawn);
      const mayLeave = !isElsewhere && lengths.some((_, i) => suspected[i] !== 1);
      if (replaced && mayLeave) this.#drawAs(replaced.drawn);
      for (const [i, length] of lengths.entries()) {
        const place = replaced && placeAt(chunk, sentence + i, replaced);
        const placed = { from, to: from + length, mentions: mentions[i] ?? NO_MENTIONS };
        if (suspected[i] === 1) this.#leaveOut();
        else if (place && isElsewhere) this.#leaveRedrawn(place);
        else this.#takeSentence(chunk, placed, place);
        from += length;
      }
      sentence += sentences;
      this.#entities.endDocument();
      this.#documents++;
    }
  }

  /** By sentence of the note at hand, its PHI entities, where they are asked for. */
  #mentionsOf(chunk: ReadChunk, from: number, lengths: Int32Array): readonly Mention[][] {
    const certified = this.#certified;
    if (!certified) return [];
    let start = from;
    const sentences = Array.from(lengths, (length) => {
      const first = start;
      start += length;
      return {
        labels: certified(chunk.labels.subarray(first, start)),
        wordAt: (t: number) =>
          spelling(this.#spellings[chunk.words[first + t] as number] as string),
      };
    });
    return mentionsOf(sentences);
  }

  #leaveOut(): void {
    this.#sentences++;
    this.#suspected++;
  }

  #leaveRedrawn({ name, ordinal }: Place): void {
    this.#sentences++;
    const hash = this.ledger.key.hashPlace(name, ordinal);
    if (this.#isOwn(hash)) this.#redrawn.add(shareOf(hash));
  }

  #takeSentence(
    chunk: ReadChunk,
    { from, to, mentions }: { from: number; to: number; mentions: readonly Mention[] },
    place: Place | undefined,
  ): void {
    this.#sentences++;
    const rows = this.#rows.subarray(0, to - from);
    for (let t = 0; t < rows.length; t++) rows[t] = this.#idOf(chunk.words[from + t] as number);
    const labels = chunk.labels.subarray(from, to);
    const hash = place
      ? this.ledger.key.hashPlace(place.name, place.ordinal)
      : this.ledger.key.hashFramedRows(this.#frames, this.#frames.placesOf(rows));
    if (this.#number === 0)
      for (const { words } of mentions)
        this.#entities.add(this.ledger.key.hashEntity(words).toString('hex'));
    if (this.#isOwn(hash)) {
      const releases = this.ledger.releasesOf(hash);
      const isReleasable = this.#kept.copiesOf(hash) + releases < this.#mostReleases;
      if (isReleasable) {
        const document = this.#documentOf(hash);
        const alike = place ? this.#hashMasked(rows, labels) : NO_HASH;
        const isReleased =
          releases > 0 || (this.#copies > 1 && this.ledger.alike.releasesOf(alike) > 0);
        this.#kept.add({ rows, labels, mentions, hash, alike, document, isReleased });
        if (place && !this.#drawn.has(document)) this.#drawn.set(document, place.note.drawn);
        this.#split();
      } else if (mentions.length > 0 && !place) this.#kept.mention(hash, mentions);
    }
    if (this.#vocabulary.size > this.#mostWords) this.#renumber();
  }

  #hashMasked(rows: Int32Array, labels: Uint8Array): Buffer {
    const { key, alike } = this.ledger;
    const masked = key.hashMasked(this.#frames, this.#frames.maskedPlacesOf(rows, labels));
    if (alike.countsEarlier) {
      const places = this.#frames.maskedPlacesOf(rows, labels, typeOfLabel);
      alike.meet(masked, key.hashMasked(this.#frames, places));
    }
    return masked;
  }

  /** Whether it has left with other surrogates, or is about to. */
  #isDrawnOtherwise(note: DrawnNote): boolean {
    const here = this.#drawnOfText.get(textOf(note));
    if (here !== undefined) return here !== drawnOf(note);
    return this.ledger.documents.isOtherwise(note);
  }

  /** Whichever portions its sentences are in, so that every reading leaves the same notes out. */
  #drawAs(note: DrawnNote): void {
    this.#drawnOfText.set(textOf(note), drawnOf(note));
  }

  /** Where a sentence of the document at hand stands first. */
  #documentOf(hash: Buffer): number {
    const first = this.#kept.firstOf(hash);
    return first === undefined ? this.#documents : this.#kept.documentOf(first);
  }

  #idOf(spelling: number): number {
    const known = this.#idOfSpelling[spelling];
    if (known !== undefined) return known;
    const id = this.#vocabulary.lookUp(this.#spellings[spelling] as string);
    this.#idOfSpelling[spelling] = id;
    this.#frameUpTo(id);
    return id;
  }

  #isOwn(hash: Buffer): boolean {
    return shareOf(hash) % this.count === this.#number;
  }

  /** The first reading finds out how many portions there must be: halves what it keeps. */
  #split(): void {
    while (this.#number === 0 && this.#kept.isVaried && this.#kept.size > this.#mostSentences) {
      this.count *= 2;
      this.#kept.keep((hash) => this.#isOwn(hash));
      this.#redrawn.keepFirstOf(this.count);
    }
  }

  /** Leaves words behind that stand in no sentence that was kept. */
  #renumber(): void {
    const before = this.#vocabulary;
    const after = before.fresh();
    const renumbered = new Map<number, number>();
    this.#kept.renumber((id) => {
      const known = renumbered.get(id) ?? after.idOfSame(before, id);
      renumbered.set(id, known);
      return known;
    });
    this.#vocabulary = after;
    this.#mostWords = Math.max(FEW_WORDS, 2 * after.size);
    this.#idOfSpelling = [];
    this.#frames.clear();
    this.#frameUpTo(after.size - 1);
  }

  #frameUpTo(row: number): void {
    for (let next = this.#frames.size; next <= row; next++)
      this.#frames.add(framed(this.#vocabulary.key(next)));
  }
}

/** What tells portions apart. */
function shareOf(hash: Buffer): number {
  return hash.readUInt32LE();
}
