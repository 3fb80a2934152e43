/**
 * What an attacker with code of its own is given, in files that any language reads: notes as f sees them, word
 * vectors, pairs, and vectors of f without noise to hold another implementation against. Run as a program:
 *
 *   node dist/study/outside-reader/data-folder.js MEDDOCAN VECTORS OUT FROZEN...
 *
 * Notes without labels are labelled by `tagger.py`: the first run writes what it reads, and a run after it the rest.
 */

import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { movablePositions } from '../../models/certification/move.js';
import { type Candidates, findCandidates } from '../../models/embeddings/candidates.js';
import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../models/embeddings/open.js';
import { stopWords } from '../../models/embeddings/stop-words.js';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { isDigitsOnly, isPunctuation } from '../../models/embeddings/word-shape.js';
import { freeTextOf } from '../../models/evaluation/free-text.js';
import { createInventory } from '../../models/surrogates/create-inventory.js';
import { Inventory } from '../../models/surrogates/inventory.js';
import { fillGaps, maskEntities, replaceEntities } from '../../models/surrogates/replacement.js';
import { useBackend } from '../../models/tensor/backend.js';
import { Random } from '../../models/tensor/random.js';
import * as tf from '../../models/tensor/tf.js';
import { readCorpus } from '../../models/text/corpus/read-corpus.js';
import type { Document, Span } from '../../models/text/document.js';
import { type LabelScheme, loadLabelScheme, mapType } from '../../models/text/label-scheme.js';
import { sentencesOf } from '../../models/text/labelled-sentence.js';
import { bytesIfThere } from '../../platform/files/optional-file.js';
import { encodeElements } from '../../proto/element.js';
import { openRepresentation } from '../frozen.js';

const SEED = 1;
const NEIGHBOURS = 500;
/** Of the attacker's labelled notes, each with other surrogates. */
const TRAIN_COPIES = 4;
const MISSED_ROUNDS = 2;
const PAIR_ROUNDS = 2;
const CHECKED_SENTENCES = 24;
const CHECKED_WORDS = 40;
const FOUND_SPANS = 'unlabelled.spans.json';
const WORD_BITS = 17;
const KINDS = ['content', 'stop word', 'punctuation', 'digits', 'zero vector'] as const;

/** A sentence as f and a reader of labels see it. */
interface Row {
  /** [T] vocabulary ids */
  readonly ids: Int32Array;
  readonly labels: Uint8Array;
  /** [T] 1 + the PHI type of a token whose label was taken off, else 0. */
  readonly missed: Uint8Array;
  readonly document: number;
  readonly isFree: boolean;
}

interface MissedSpans extends Omit<Document, 'id'> {
  readonly missed: readonly Span[];
}

class DataFolder {
  readonly #vocabulary: Vocabulary;
  readonly #random = new Random(SEED).fork('outside reader');
  /** Of words without a row in the matrix, in the order in which they were met. */
  readonly #others = new Map<string, number>();
  readonly #otherIds: number[] = [];

  constructor(
    private readonly out: string,
    private readonly embeddings: Embeddings,
    private readonly scheme: LabelScheme,
  ) {
    this.#vocabulary = new Vocabulary(embeddings);
  }

  async write(meddocan: string, frozen: readonly string[]): Promise<void> {
    const [train = [], dev = [], unlabelled = []] = await Promise.all(
      ['train/brat', 'dev/brat', 'background'].map((part) =>
        documentsOf(path.join(meddocan, part)),
      ),
    );
    const spans = await bytesIfThere(path.join(this.out, FOUND_SPANS));
    if (spans === undefined) {
      await this.#writeForTagger(train, dev, unlabelled);
      return;
    }
    const found: Span[][] = JSON.parse(spans.toString('utf8'));
    const background = unlabelled.map((document, i) => ({ ...document, spans: found[i] ?? [] }));
    const inventory = new Inventory(
      await createInventory(this.scheme, {
        corpora: [{ name: 'train', documents: train }],
        languages: ['es'],
      }),
    );
    const replaced = (documents: readonly Document[], name: string) => {
      const random = this.#random.fork(name);
      return documents.map((document) => replaceEntities(document, this.scheme, inventory, random));
    };
    const corpora: Record<string, Row[]> = {};
    for (let copy = 0; copy < TRAIN_COPIES; copy++)
      corpora[`train-${copy}`] = this.#rows(replaced(train, `train ${copy}`));
    corpora.background = this.#rows(replaced(background, 'background'));
    corpora['dev-kept'] = this.#rows(dev);
    corpora['dev-replaced'] = this.#rows(replaced(dev, 'dev'));
    for (let round = 0; round < MISSED_ROUNDS; round++) {
      const random = this.#random.fork(`missed ${round}`);
      const documents = dev.map((each) => this.#withMissed(each, inventory, random));
      corpora[`dev-missed-${round}`] = this.#rows(documents);
    }
    const pairs = await this.#writePairs(corpora);
    for (const [name, rows] of Object.entries(corpora)) await this.#writeRows(name, rows);
    const representations: string[] = [];
    for (const directory of frozen)
      representations.push(await this.#writeRepresentation(directory, corpora['dev-kept']));
    await this.#writeWords();
    const index = {
      ...{ labels: this.scheme.labels, kinds: KINDS, neighbours: NEIGHBOURS },
      ...{ matrixRows: this.embeddings.words.length, dimension: this.embeddings.dimension },
      ...{ representations, trainCopies: TRAIN_COPIES, missedRounds: MISSED_ROUNDS, pairs },
    };
    await this.#file('index.json', JSON.stringify(index));
  }

  /** Notes as they are, and where the tokens of those without labels stand. */
  async #writeForTagger(
    train: readonly Document[],
    dev: readonly Document[],
    unlabelled: readonly Document[],
  ): Promise<void> {
    await this.#writeRows('train-kept', this.#rows(train));
    await this.#writeRows('dev-kept', this.#rows(dev));
    await this.#writeRows('unlabelled', this.#rows(unlabelled));
    const places = unlabelled.flatMap((document) =>
      sentencesOf(document, this.scheme, 0).flatMap(({ tokens }) =>
        tokens.flatMap(({ start, end }) => [start, end]),
      ),
    );
    await this.#file('unlabelled.places.i32', Int32Array.from(places));
    await this.#writeWords();
    await this.#file('index.json', JSON.stringify({ labels: this.scheme.labels }));
  }

  #rows(documents: readonly (Omit<Document, 'id'> & Partial<MissedSpans>)[]): Row[] {
    return documents.flatMap((document, index) => {
      const { text, missed = [] } = document;
      const free = freeTextOf(text);
      return sentencesOf({ ...document, id: '' }, this.scheme, index).map(
        ({ tokens, labels }): Row => {
          const ids = Int32Array.from(tokens, (token) => this.#vocabulary.idOf(token.text));
          const lost = Uint8Array.from(tokens, ({ start, end }) => {
            const span = missed.find((each) => each.start < end && start < each.end);
            return span ? 1 + this.#typeOf(span) : 0;
          });
          const first = tokens[0]?.start ?? 0;
          const isFree = first >= free.start && first < free.end;
          const seen = labels.map((label, t) => (lost[t] === 0 ? label : 0));
          return { ids, labels: seen, missed: lost, document: index, isFree };
        },
      );
    });
  }

  #typeOf({ type }: Span): number {
    return (this.scheme.labels.indexOf(`B-${mapType(type, this.scheme)}`) - 1) / 2;
  }

  /** One entity of each sentence keeps its words and loses its label; surrogates stand for the others. */
  #withMissed(document: Document, inventory: Inventory, random: Random): MissedSpans {
    const phi = document.spans.filter(({ type }) => mapType(type, this.scheme) !== null);
    const chosen = new Set<Span>();
    for (const { tokens } of sentencesOf(document, this.scheme, 0)) {
      const [start, end] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
      const own = phi.filter((span) => span.start >= start && span.end <= end);
      if (own.length > 0) chosen.add(own[random.integer(own.length)] as Span);
    }
    const labelled = phi.filter((span) => !chosen.has(span));
    const filled = fillGaps(
      maskEntities({ text: document.text, spans: labelled }, this.scheme),
      inventory,
      random,
    );
    const missed = [...chosen].map(({ type, start, end }): Span => {
      const gap = labelled.filter((span) => span.end <= start).length;
      const shift = (filled.gapStarts[gap] as number) - (labelled[gap - 1]?.end ?? 0);
      return { type, start: start + shift, end: end + shift };
    });
    return { ...filled.document, missed };
  }

  /** Of a sentence, one word that may move and what it moves to: [sentence, position, word] in turn. */
  async #writePairs(corpora: Readonly<Record<string, Row[]>>): Promise<string[]> {
    const movable = (row: Row) => row.labels.map((label, t) => label || (row.missed[t] as number));
    const names = Object.keys(corpora).filter((name) => /^dev-(kept|missed)/.test(name));
    const phi = new Set<number>();
    for (const rows of Object.values(corpora))
      for (const row of rows)
        movable(row).forEach((label, t) => {
          if (label !== 0) phi.add(row.ids[t] as number);
        });
    const candidates = await findCandidates(this.#vocabulary, phi, NEIGHBOURS);
    for (const name of names) {
      const random = this.#random.fork(`pairs ${name}`);
      const rounds = name === 'dev-kept' ? PAIR_ROUNDS : 1;
      const pairs: number[] = [];
      for (let round = 0; round < rounds; round++)
        (corpora[name] as Row[]).forEach((row, sentence) => {
          const labels = name === 'dev-kept' ? row.labels : row.missed;
          const positions = movablePositions({ ids: row.ids, labels }, candidates);
          const position = positions[random.integer(Math.max(1, positions.length))];
          if (position === undefined) return;
          const word = candidates.draw(row.ids[position] as number, random);
          pairs.push(sentence, position, this.#wordIndex(word));
        });
      await this.#file(`pairs-${name}.i32`, Int32Array.from(pairs));
    }
    await this.#writeNeighbours([...phi], candidates);
    return names;
  }

  /** Neighbours of some words, themselves first, to hold another implementation against. */
  async #writeNeighbours(ids: readonly number[], candidates: Candidates): Promise<void> {
    const checked = ids
      .filter((id) => candidates.of(id).length === NEIGHBOURS && !this.#vocabulary.isDigits(id))
      .slice(0, CHECKED_WORDS);
    const lists = checked.flatMap((id) =>
      [...candidates.of(id)].map((each) => this.#wordIndex(each)),
    );
    await this.#file('check-neighbours.i32', Int32Array.from(lists));
  }

  #wordIndex(id: number): number {
    const row = this.#vocabulary.rowOf(id);
    if (row >= 0) return row;
    const key = this.#vocabulary.key(id);
    const known = this.#others.get(key);
    if (known !== undefined) return known;
    const index = this.embeddings.words.length + this.#others.size;
    this.#others.set(key, index);
    this.#otherIds.push(id);
    return index;
  }

  /** A token is its word, 17 bits, its casing and its label. */
  async #writeRows(name: string, rows: readonly Row[]): Promise<void> {
    const tokens = rows.flatMap(({ ids, labels }) =>
      Array.from(ids, (id, t) => {
        const word = this.#wordIndex(id);
        if (word >= 2 ** WORD_BITS) throw new Error(`more than ${2 ** WORD_BITS} words`);
        const casing = this.#vocabulary.casing(id);
        return word + 2 ** WORD_BITS * (casing + 8 * (labels[t] as number));
      }),
    );
    await this.#file(`${name}.tokens.i32`, Int32Array.from(tokens));
    if (rows.some(({ missed }) => missed.some((type) => type > 0))) {
      const missed = rows.flatMap((row) => [...row.missed]);
      await this.#file(`${name}.missed.u8`, Uint8Array.from(missed));
    }
    const sentences = rows.flatMap((row) => [row.ids.length, row.document, Number(row.isFree)]);
    await this.#file(`${name}.sentences.i32`, Int32Array.from(sentences));
  }

  async #writeRepresentation(directory: string, rows: readonly Row[] = []): Promise<string> {
    const name = path.basename(directory);
    for (const file of ['weights.safetensors', 'manifest.json'])
      await copyFile(path.join(directory, file), path.join(this.out, `${name}.${file}`));
    const representation = await openRepresentation(directory);
    // Vectors of words outside the matrix are rounded, so that f of them is not exactly the same.
    const inMatrix = [...rows.keys()].filter((sentence) =>
      (rows[sentence] as Row).ids.every((id) => this.#vocabulary.rowOf(id) >= 0),
    );
    const step = Math.max(1, Math.floor(inMatrix.length / CHECKED_SENTENCES));
    const sentences: number[] = [];
    const values: number[] = [];
    for (let i = 0; i < inMatrix.length; i += step) {
      const sentence = inMatrix[i] as number;
      const { ids } = rows[sentence] as Row;
      const mean = tf.tidy(() => {
        const x = representation.embed(this.#vocabulary, ids, ids.length);
        return representation.mean(x, Int32Array.of(ids.length)).dataSync<'float32'>();
      });
      sentences.push(sentence);
      values.push(...mean);
    }
    representation.dispose();
    await this.#file(`${name}.check-sentences.i32`, Int32Array.from(sentences));
    await this.#file(`${name}.check-means.f32`, Float32Array.from(values));
    return name;
  }

  async #writeWords(): Promise<void> {
    const { words, matrix, dimension } = this.embeddings;
    const all = [...words, ...this.#otherIds.map((id) => this.#vocabulary.wordOf(id) ?? '')];
    const vectors = new Float32Array(all.length * dimension);
    vectors.set(matrix.subarray(0, words.length * dimension));
    const own = this.#vocabulary.vectors();
    this.#otherIds.forEach((id, i) => {
      const vector = own.subarray(id * dimension, (id + 1) * dimension);
      vectors.set(vector, (words.length + i) * dimension);
    });
    const stops = stopWords(['en', 'es']);
    const kinds = Uint8Array.from(all, (word, i) => {
      const vector = vectors.subarray(i * dimension, (i + 1) * dimension);
      if (isDigitsOnly(word)) return KINDS.indexOf('digits');
      if (isPunctuation(word)) return KINDS.indexOf('punctuation');
      if (stops.has(word.toLowerCase())) return KINDS.indexOf('stop word');
      return KINDS.indexOf(vector.every((value) => value === 0) ? 'zero vector' : 'content');
    });
    await this.#file('words.json', JSON.stringify(all));
    await this.#file('vectors.f32', vectors.subarray(0, words.length * dimension));
    const rounded = encodeElements(vectors.subarray(words.length * dimension), 'float16');
    await this.#file('vectors.f16', rounded);
    await this.#file('kinds.u8', kinds);
  }

  async #file(name: string, content: string | Int32Array | Uint8Array | Float32Array) {
    const bytes =
      typeof content === 'string'
        ? content
        : new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
    await writeFile(path.join(this.out, name), bytes);
  }
}

async function documentsOf(source: string): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readCorpus(source)) documents.push(document);
  return documents;
}

const [meddocan, vectors, out, ...frozen] = process.argv.slice(2);
if (!meddocan || !vectors || !out || frozen.length === 0)
  throw new Error('usage: data-folder.js MEDDOCAN VECTORS OUT FROZEN...');
await useBackend();
await mkdir(out, { recursive: true });
const folder = new DataFolder(out, await openEmbeddings(vectors), loadLabelScheme('meddocan'));
await folder.write(meddocan, frozen);
