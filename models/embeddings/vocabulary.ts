import { ZERO_ROW } from '../tensor/embedding.js';
import { copyRows } from '../tensor/row-copies.js';
import { CASINGS, casingOf } from '../text/casing.js';
import { CODES_A_WORD, writeCodes } from '../text/character-codes.js';
import { composedWord } from './composed-word.js';
import type { Embeddings } from './embeddings.js';
import type { RowTable } from './row-table.js';
import { SharedRows } from './shared-rows.js';
import { isDigitsOnly } from './word-shape.js';

/** Digits-only words longer than this share the vector of this length. */
export const TRAINED_DIGIT_LENGTHS = 10;

/** How many vectors a model trains itself: the unknown word, and one per length of digits. */
export const TRAINED_VECTORS = 1 + TRAINED_DIGIT_LENGTHS;

/** Reserved, not used: pages of memory that nothing was written to cost nothing. */
const INITIAL_CODES = 2 ** 15;
const INITIAL_COMPOSED = 2 ** 12;
/** Spellings that are remembered beside the rows; unknown words may have any number of them. */
const MOST_SPELLINGS = 2 ** 16;

export interface VocabularyOptions {
  /** Whether "ANA" and "Ana" are two words where they have one row: they are to a model that sees casing. */
  readonly casing?: boolean;
  /** Whether words without a vector are told apart by their letters: a model that sees characters does. */
  readonly characters?: boolean;
}

/** The casing of every word where casing does not count. */
const NO_CASING = 0;

const UNKNOWN = 'unknown';
/** Of a word that has a trained vector, and letters that count. */
const TRAINED_KEY = /^(?:unknown|digits:\d+):(.+)$/su;

/**
 * What a model sees of words, numbered as they are met: a row, a casing and the characters of the row's
 * word in lower case. Two words have one id exactly when they have one row and, where casing counts, one
 * casing. A word that is written with accents as marks of their own is the one with composed letters
 * (`composedWord`). Words outside the matrix get the subword vector of their lower-case form; without subwords,
 * digits get a trained vector per length and everything else the trained unknown vector, one id for all
 * of them unless characters count (docs/design.md, Words).
 */
export class Vocabulary {
  readonly dimension: number;
  readonly #casingCounts: boolean;
  readonly #charactersCount: boolean;
  /** By casing, then by row, and of words outside the matrix by key. */
  readonly #idOfRow: Map<number, number>[] = [];
  readonly #idOfKey: Map<string, number>[] = [];
  /** What `idOf` found, which most tokens ask for again. */
  readonly #idOfSpelling = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #trained: number[] = [];
  readonly #casing: number[] = [];
  /** Of the ids up to the last that was asked for. */
  readonly #uncased: number[] = [];
  readonly #firstOf = new Map<string, number>();
  readonly #digits: boolean[] = [];
  readonly #codes: SharedRows<Uint16Array>;
  readonly #places: number[] = [];
  readonly #composed: SharedRows<Float32Array>;
  /** What `vectors` gave, of which so many rows are filled. */
  #vectors = new Float32Array(0);
  #filled = 0;
  #table: RowTable | undefined;

  constructor(
    readonly embeddings: Embeddings,
    { casing = true, characters = false }: VocabularyOptions = {},
  ) {
    this.dimension = embeddings.dimension;
    this.#casingCounts = casing;
    this.#charactersCount = characters;
    for (const _ of CASINGS) {
      this.#idOfRow.push(new Map());
      this.#idOfKey.push(new Map());
    }
    const composed = embeddings.hasSubwords ? INITIAL_COMPOSED : 0;
    this.#composed = new SharedRows(Float32Array, this.dimension, composed);
    this.#codes = new SharedRows(Uint16Array, CODES_A_WORD, characters ? INITIAL_CODES : 0);
  }

  /** One of the same kind without words. */
  fresh(): Vocabulary {
    const [casing, characters] = [this.#casingCounts, this.#charactersCount];
    return new Vocabulary(this.embeddings, { casing, characters });
  }

  /** Whether words without a vector are told apart by their letters. */
  get seesCharacters(): boolean {
    return this.#charactersCount;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** The id of a word, which is added where it is new. */
  idOf(word: string): number {
    const known = this.#idOfSpelling.get(word);
    if (known !== undefined) return known;
    if (this.#idOfSpelling.size >= MOST_SPELLINGS) this.#idOfSpelling.clear();
    const id = this.lookUp(word);
    this.#idOfSpelling.set(word, id);
    return id;
  }

  /** As `idOf`, for whoever asks once for each spelling. */
  lookUp(word: string): number {
    const written = composedWord(word, this.embeddings);
    return this.#find(written, casingOf(written));
  }

  /** The id here of what another vocabulary of the same embeddings has. */
  idOfSame(other: Vocabulary, id: number): number {
    const word = other.spelling(id);
    const casing = other.casing(id);
    return word === undefined
      ? this.idOfTrained(other.trained(id), casing)
      : this.#find(word, casing);
  }

  #find(word: string, casing: number): number {
    const row = this.embeddings.row(word);
    if (row >= 0) return this.idOfRow(row, casing);

    const lower = word.toLowerCase();
    const id = this.#known(wordKey(lower), casing);
    if (id !== undefined) return id;
    const place = this.#inOtherCasing(wordKey(lower)) ?? this.#compose(lower);
    const digits = isDigitsOnly(lower);
    if (place !== undefined) return this.#add({ key: wordKey(lower), casing, digits, place });
    return this.idOfTrained(isDigitsOnly(word) ? digitVector(word) : 0, casing, lower);
  }

  /** The id of a row of the embedding matrix in a casing, its word's own unless another is given. */
  idOfRow(row: number, casing?: number): number {
    const word = this.embeddings.words[row];
    if (word === undefined) throw new RangeError(`the embedding matrix has no row ${row}`);
    const written = this.#counted(casing ?? casingOf(word));
    const ids = this.#idOfRow[written] as Map<number, number>;
    const known = ids.get(row);
    if (known !== undefined) return known;
    const digits = isDigitsOnly(word);
    const id = this.#add({ key: wordKey(word), casing: written, digits, place: row });
    ids.set(row, id);
    return id;
  }

  /**
   * The id of a trained vector: 1 = unknown, 1 + k = digits of length k. Where characters count, of the
   * word that is spelled `lower`, which has one id of its own.
   */
  idOfTrained(trained: number, casing: number, lower = ''): number {
    const kind = trained <= 1 ? UNKNOWN : `digits:${trained - 1}`;
    const key = this.#charactersCount && lower !== '' ? `${kind}:${lower}` : kind;
    return (
      this.#known(key, casing) ??
      this.#add({ key, casing, digits: trained > 1, trained: Math.max(trained, 1) })
    );
  }

  /** [W, E], of the embeddings. */
  get matrix(): Float32Array {
    return this.embeddings.matrix;
  }

  /** [C, E], vectors of words that the matrix does not hold, a view that is valid until a word is added. */
  composed(): Float32Array {
    return this.#composed.all();
  }

  /** Which row of the matrix an id's vector is, or from W on which of `composed`; `ZERO_ROW` where it is trained. */
  place(id: number): number {
    return this.#places[this.#checked(id)] as number;
  }

  /** [size, E], by id: copied to a view that is valid until a word is added; zero where the vector is trained. */
  vectors(): Float32Array {
    if (this.#filled < this.size) this.#fill();
    return this.#vectors.subarray(0, this.size * this.dimension);
  }

  /** The rows for another thread, which reads these very vectors; words added later are not in it. */
  table(): RowTable {
    if (this.#table?.trained.length !== this.size) {
      const { dimension, matrix } = this;
      this.#table = {
        ...{ dimension, matrix, composed: this.composed(), codes: this.codes() },
        places: Int32Array.from(this.#places),
        trained: Uint8Array.from(this.#trained),
        casing: Uint8Array.from(this.#casing),
      };
    }
    return this.#table;
  }

  /**
   * The characters of each word as `writeCodes` writes them, [size · CODES_A_WORD], a view that is valid
   * until a word is added; empty where characters do not count.
   */
  codes(): Uint16Array {
    return this.#codes.all();
  }

  /** 0 for a fixed vector, 1 for the unknown word, 1 + k for digits of length k. */
  trained(id: number): number {
    return this.#trained[this.#checked(id)] as number;
  }

  /** As in `CASINGS`; 0 where casing does not count. */
  casing(id: number): number {
    return this.#casing[this.#checked(id)] as number;
  }

  /**
   * One id for all spellings of a word: the first that was met of "ANA", "Ana" and "ana", which are one name
   * to whoever reads them, though not to a model.
   */
  uncased(id: number): number {
    this.#checked(id);
    for (let next = this.#uncased.length; next <= id; next++) {
      const word = this.key(next).toLowerCase();
      const first = this.#firstOf.get(word) ?? next;
      this.#firstOf.set(word, first);
      this.#uncased.push(first);
    }
    return this.#uncased[id] as number;
  }

  /** The id of the same row where it is written in another casing. */
  inCasing(id: number, casing: number): number {
    const written = this.#counted(casing);
    if (this.casing(id) === written) return id;
    const word = this.spelling(id);
    return word === undefined
      ? this.idOfTrained(this.trained(id), written)
      : this.#find(word, written);
  }

  /** The row in the embedding matrix, -1 for a word outside it. */
  rowOf(id: number): number {
    const place = this.place(id);
    return place < this.embeddings.words.length ? place : -1;
  }

  /**
   * The identity of the row, whatever the casing, the same in every process: `w:ana`, `unknown` or
   * `digits:3`; where characters count, `unknown:xana` and `digits:3:114`.
   */
  key(id: number): string {
    return this.#keys[this.#checked(id)] as string;
  }

  /** The word as the row spells it; undefined where the vector is trained. */
  wordOf(id: number): string | undefined {
    return this.trained(id) === 0 ? this.key(id).slice(wordKey('').length) : undefined;
  }

  /** The word, in lower case unless its row has it otherwise; undefined where all that is known is its trained vector. */
  spelling(id: number): string | undefined {
    const word = this.wordOf(id);
    if (word !== undefined || !this.#charactersCount) return word;
    const [, spelled] = TRAINED_KEY.exec(this.key(id)) ?? [];
    return spelled;
  }

  isDigits(id: number): boolean {
    return this.#digits[this.#checked(id)] as boolean;
  }

  #known(key: string, casing: number): number | undefined {
    return this.#idOfKey[this.#counted(casing)]?.get(key);
  }

  /** Where the vector of a word stands that was met in another casing. */
  #inOtherCasing(key: string): number | undefined {
    const id = this.#idOfKey.map((ids) => ids.get(key)).find((known) => known !== undefined);
    return id === undefined ? undefined : this.#places[id];
  }

  /** Where the subword vector of a word stands from now on; undefined where it has none. */
  #compose(word: string): number | undefined {
    const vector = this.embeddings.subwordVector(word);
    if (!vector) return undefined;
    const place = this.embeddings.words.length + this.#composed.count;
    this.#composed.add().set(vector);
    return place;
  }

  #counted(casing: number): number {
    return this.#casingCounts ? casing : NO_CASING;
  }

  #checked(id: number): number {
    if (id >= 0 && id < this.size) return id;
    throw new RangeError(`the vocabulary of ${this.size} words has no id ${id}`);
  }

  #add(entry: {
    key: string;
    casing: number;
    digits: boolean;
    place?: number;
    trained?: number;
  }): number {
    const id = this.size;
    const casing = this.#counted(entry.casing);
    this.#keys.push(entry.key);
    this.#casing.push(casing);
    this.#places.push(entry.place ?? ZERO_ROW);
    if (this.rowOf(id) < 0) this.#idOfKey[casing]?.set(entry.key, id);
    this.#digits.push(entry.digits);
    this.#trained.push(entry.trained ?? 0);
    if (this.#charactersCount)
      writeCodes(this.spelling(id)?.toLowerCase() ?? '', this.#codes.add());
    return id;
  }

  /** The vectors of the words that were added since the last time. */
  #fill(): void {
    const { dimension, size } = this;
    if (size * dimension > this.#vectors.length) {
      const grown = new Float32Array(Math.max(2 * this.#vectors.length, size * dimension));
      grown.set(this.#vectors);
      this.#vectors = grown;
    }
    const rows = Int32Array.from(this.#places.slice(this.#filled));
    const to = this.#vectors.subarray(this.#filled * dimension, size * dimension);
    copyRows(this.matrix, this.composed(), rows, to, dimension);
    this.#filled = size;
  }
}

function wordKey(word: string): string {
  return `w:${word}`;
}

function digitVector(digits: string): number {
  return 1 + Math.min([...digits].length, TRAINED_DIGIT_LENGTHS);
}
