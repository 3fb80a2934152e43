/**
 * What an attacker with code of its own is given, in files that any language reads: notes as f sees them, word
 * vectors, pairs, and vectors of f without noise to hold another implementation against. Run as a program:
 *
 *   node dist/study/outside-reader/data-folder.js MEDDOCAN VECTORS OUT REPRESENTATION...
 *
 * The background notes are read from OUT/labelled where somebody labelled them; else `tagger.py` labels them: the first
 * run writes what it reads, and a run after it the rest.
 */

import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { movablePositions } from '../../models/certification/move.js';
import { type Candidates, findCandidates } from '../../models/embeddings/candidates.js';
import { openEmbeddings } from '../../models/embeddings/open.js';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { freeTextOf } from '../../models/evaluation/free-text.js';
import { readsCharacters } from '../../models/networks/character-config.js';
import { createInventory } from '../../models/surrogates/create-inventory.js';
import { Inventory } from '../../models/surrogates/inventory.js';
import { fillGaps, maskEntities, replaceEntities } from '../../models/surrogates/replacement.js';
import { useBackend } from '../../models/tensor/backend.js';
import { Random } from '../../models/tensor/random.js';
import * as tf from '../../models/tensor/tf.js';
import { readCorpus } from '../../models/text/corpus/read-corpus.js';
import type { Document, Span } from '../../models/text/document.js';
import { type LabelScheme, mapType } from '../../models/text/label-scheme.js';
import { sentencesOf } from '../../models/text/labelled-sentence.js';
import { isThere } from '../../platform/files/is-there.js';
import { makeFolders } from '../../platform/files/make-folders.js';
import { bytesIfThere } from '../../platform/files/optional-file.js';
import { type Attacked, openAttacked } from './attacked.js';
import { KINDS, WordList } from './word-list.js';

const SEED = 1;
const NEIGHBOURS = 500;
/** Of the attacker's labelled notes, each with other surrogates. */
const TRAIN_COPIES = 4;
const MISSED_ROUNDS = 2;
const PAIR_ROUNDS = 2;
const CHECKED_SENTENCES = 48;
const CHECKED_WORDS = 40;
const LABELLED = 'labelled';
const FOUND_SPANS = 'unlabelled.spans.json';
const WORD_BITS = 20;

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

interface Notes {
  readonly train: readonly Document[];
  readonly dev: readonly Document[];
  readonly background: readonly Document[];
}

class DataFolder {
  readonly #scheme: LabelScheme;
  readonly #random = new Random(SEED).fork('outside reader');
  readonly #words: WordList;

  constructor(
    private readonly out: string,
    private readonly vocabulary: Vocabulary,
    private readonly attacked: readonly [Attacked, ...Attacked[]],
  ) {
    this.#scheme = attacked[0].scheme;
    this.#words = new WordList(vocabulary);
  }

  async write(meddocan: string): Promise<void> {
    const [train = [], dev = [], unlabelled = []] = await Promise.all(
      ['train/brat', 'dev/brat', 'background'].map((part) =>
        documentsOf(path.join(meddocan, part)),
      ),
    );
    const background = await this.#labelled(unlabelled);
    if (background === undefined) {
      await this.#writeForTagger(train, dev, unlabelled);
      return;
    }
    const corpora = this.#corpora({ train, dev, background }, await this.#inventory(train));
    for (const [name, rows] of Object.entries(corpora)) await this.#writeRows(name, rows);
    const pairs = await this.#writePairs(corpora);
    for (const each of this.attacked) await this.#writeRepresentation(each, corpora['dev-kept']);
    await this.#writeWords(pairs.exact);
    const index = {
      ...{ labels: this.#scheme.labels, kinds: KINDS, neighbours: NEIGHBOURS },
      representations: this.attacked.map((each) => each.name),
      ...{ dimension: this.vocabulary.dimension, trainCopies: TRAIN_COPIES },
      ...{ missedRounds: MISSED_ROUNDS, pairs: pairs.names },
    };
    await this.#file('index.json', JSON.stringify(index));
  }

  /** The background notes with labels; undefined where nobody found any yet. */
  async #labelled(unlabelled: readonly Document[]): Promise<Document[] | undefined> {
    const folder = path.join(this.out, LABELLED);
    if (await isThere(folder)) return documentsOf(folder);
    const spans = await bytesIfThere(path.join(this.out, FOUND_SPANS));
    if (spans === undefined) return undefined;
    const found: Span[][] = JSON.parse(spans.toString('utf8'));
    return unlabelled.map((document, i) => ({ ...document, spans: found[i] ?? [] }));
  }

  async #inventory(train: readonly Document[]): Promise<Inventory> {
    const [{ inventory }] = this.attacked;
    if (inventory) return inventory;
    const corpora = [{ name: 'train', documents: train }];
    return new Inventory(await createInventory(this.#scheme, { corpora, languages: ['es'] }));
  }

  #corpora({ train, dev, background }: Notes, inventory: Inventory): Record<string, Row[]> {
    const replaced = (documents: readonly Document[], name: string) => {
      const random = this.#random.fork(name);
      return documents.map((each) => replaceEntities(each, this.#scheme, inventory, random));
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
    return corpora;
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
      sentencesOf(document, this.#scheme, 0).flatMap(({ tokens }) =>
        tokens.flatMap(({ start, end }) => [start, end]),
      ),
    );
    await this.#file('unlabelled.places.i32', Int32Array.from(places));
    await this.#writeWords(this.#words.size);
    const index = { labels: this.#scheme.labels, dimension: this.vocabulary.dimension };
    await this.#file('index.json', JSON.stringify(index));
  }

  #rows(documents: readonly (Omit<Document, 'id'> & Partial<MissedSpans>)[]): Row[] {
    return documents.flatMap((document, index) => {
      const { text, missed = [] } = document;
      const free = freeTextOf(text);
      return sentencesOf({ ...document, id: '' }, this.#scheme, index).map(
        ({ tokens, labels }): Row => {
          const ids = Int32Array.from(tokens, (token) => this.vocabulary.idOf(token.text));
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
    return (this.#scheme.labels.indexOf(`B-${mapType(type, this.#scheme)}`) - 1) / 2;
  }

  /** One entity of each sentence keeps its words and loses its label; surrogates stand for the others. */
  #withMissed(document: Document, inventory: Inventory, random: Random): MissedSpans {
    const phi = document.spans.filter(({ type }) => mapType(type, this.#scheme) !== null);
    const chosen = new Set<Span>();
    for (const { tokens } of sentencesOf(document, this.#scheme, 0)) {
      const [start, end] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
      const own = phi.filter((span) => span.start >= start && span.end <= end);
      if (own.length > 0) chosen.add(own[random.integer(own.length)] as Span);
    }
    const labelled = phi.filter((span) => !chosen.has(span));
    const filled = fillGaps(
      maskEntities({ text: document.text, spans: labelled }, this.#scheme),
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

  /**
   * Of a sentence, one word that may move and what it moves to: [sentence, position, word] in turn. Returns of which corpora,
   * and how many words these and the corpora have.
   */
  async #writePairs(corpora: Readonly<Record<string, Row[]>>) {
    const movable = (row: Row) => row.labels.map((label, t) => label || (row.missed[t] as number));
    const names = Object.keys(corpora).filter((name) => /^dev-(kept|missed)/.test(name));
    const phi = new Set<number>();
    for (const rows of Object.values(corpora))
      for (const row of rows)
        movable(row).forEach((label, t) => {
          if (label !== 0) phi.add(row.ids[t] as number);
        });
    const candidates = await findCandidates(this.vocabulary, phi, NEIGHBOURS);
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
          pairs.push(sentence, position, this.#words.indexOf(word));
        });
      await this.#file(`pairs-${name}.i32`, Int32Array.from(pairs));
    }
    const exact = this.#words.size;
    await this.#writeCandidates([...phi], candidates);
    return { names, exact };
  }

  /**
   * Numbers, and what a word without a vector may become, which are the same of all; the words that all others may become
   * join the list; and candidates of some, themselves first, to hold another implementation against.
   */
  async #writeCandidates(phi: readonly number[], candidates: Candidates): Promise<void> {
    const indexOf = (id: number) => this.#words.indexOf(id);
    for (const id of phi) candidates.of(id).forEach(indexOf);
    const isNumber = (id: number) => this.vocabulary.isDigits(id);
    const number = phi.find(isNumber);
    const numbers = number === undefined ? [] : candidates.of(number);
    await this.#file('numbers.i32', Int32Array.from(numbers, indexOf));

    const full = phi.filter((id) => !isNumber(id) && candidates.of(id).length === NEIGHBOURS);
    const [without = [], having = []] = [true, false].map((isTrained) =>
      full.filter((id) => this.vocabulary.trained(id) > 0 === isTrained),
    );
    const madeUp = without[0] === undefined ? [] : candidates.of(without[0]).subarray(1);
    await this.#file('made-up.i32', Int32Array.from(madeUp, indexOf));
    const checked = [...having.slice(0, CHECKED_WORDS), ...without.slice(0, CHECKED_WORDS)];
    const lists = checked.flatMap((id) => Array.from(candidates.of(id), indexOf));
    await this.#file('check-neighbours.i32', Int32Array.from(lists));
  }

  /** A token is its word, 20 bits, its casing and its label. */
  async #writeRows(name: string, rows: readonly Row[]): Promise<void> {
    const tokens = rows.flatMap(({ ids, labels }) =>
      Array.from(ids, (id, t) => {
        const word = this.#words.indexOf(id);
        if (word >= 2 ** WORD_BITS) throw new Error(`more than ${2 ** WORD_BITS} words`);
        const casing = this.vocabulary.casing(id);
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

  async #writeRepresentation(
    { name, folder, representation }: Attacked,
    rows: readonly Row[] = [],
  ) {
    for (const file of ['weights.safetensors', 'manifest.json'])
      await copyFile(path.join(folder, file), path.join(this.out, `${name}.${file}`));
    const step = Math.max(1, Math.floor(rows.length / CHECKED_SENTENCES));
    const sentences: number[] = [];
    const values: number[] = [];
    for (let sentence = 0; sentence < rows.length; sentence += step) {
      const { ids } = rows[sentence] as Row;
      const mean = tf.tidy(() => {
        const x = representation.embed(this.vocabulary, ids, ids.length);
        return representation.mean(x, Int32Array.of(ids.length)).dataSync<'float32'>();
      });
      sentences.push(sentence);
      values.push(...mean);
    }
    representation.dispose();
    await this.#file(`${name}.check-sentences.i32`, Int32Array.from(sentences));
    await this.#file(`${name}.check-means.f32`, Float32Array.from(values));
  }

  async #writeWords(exact: number): Promise<void> {
    for (const [name, content] of Object.entries(this.#words.files(exact)))
      await this.#file(name, content);
  }

  async #file(name: string, content: string | ArrayBufferView) {
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

const [meddocan, vectors, out, ...directories] = process.argv.slice(2);
if (!meddocan || !vectors || !out)
  throw new Error('usage: data-folder.js MEDDOCAN VECTORS OUT REPRESENTATION...');
await useBackend();
makeFolders(out);
const embeddings = await openEmbeddings(vectors);
const [first, ...others] = await Promise.all(
  directories.map((directory) => openAttacked(directory, embeddings)),
);
if (!first) throw new Error('name what is to be attacked');
const characters = readsCharacters(first.representation.config);
const vocabulary = new Vocabulary(embeddings, { characters });
await new DataFolder(out, vocabulary, [first, ...others]).write(meddocan);
