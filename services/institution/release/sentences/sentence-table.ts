import type { Mention, Sentence } from './sentence.js';

/** A sentence with the ledger's hash of it, and where it comes from. */
export interface HashedSentence extends Sentence {
  readonly hash: Buffer;
  /** What it has in common with all that are alike but for their entities; empty where entities are kept. */
  readonly alike: Buffer;
  /** Number of the first document of the job that holds it. */
  readonly document: number;
  /** Whether an earlier job released it. */
  readonly isReleased: boolean;
}

const HASH_BYTES = 32;
const FIRST_TOKENS = 2 ** 14;
const FIRST_SENTENCES = 2 ** 10;
const NO_MENTIONS: readonly Mention[] = [];

/**
 * Many sentences in a few arrays, some 45 bytes each and 5 a token: as objects they would take ten
 * times that. Knows how often it holds the sentence of a hash.
 */
export class SentenceTable implements Iterable<HashedSentence> {
  #size = 0;
  #rows = new Int32Array(FIRST_TOKENS);
  #labels = new Uint8Array(FIRST_TOKENS);
  /** Where the tokens of each sentence begin, and those of the last end. */
  #starts = new Uint32Array(FIRST_SENTENCES + 1);
  #hashes = Buffer.alloc(FIRST_SENTENCES * HASH_BYTES);
  /** Empty where none was ever given. */
  #alike = Buffer.alloc(0);
  #documents = new Uint32Array(FIRST_SENTENCES);
  #released = new Uint8Array(FIRST_SENTENCES);
  /** Empty where none was ever given. */
  #mentions: (readonly Mention[])[] = [];
  /** By hash, with linear probing: one more than the first sentence that has it; and how many have. */
  #slots = new Uint32Array(2 * FIRST_SENTENCES);
  #copies = new Uint32Array(2 * FIRST_SENTENCES);

  get size(): number {
    return this.#size;
  }

  /** Whether not all of them are copies of one. */
  get isVaried(): boolean {
    return this.#size > this.copiesOf(this.hashOf(0));
  }

  /** T of a sentence. */
  tokensOf(sentence: number): number {
    return (this.#starts[sentence + 1] as number) - (this.#starts[sentence] as number);
  }

  /** A sentence, as views that are valid until one is added. */
  at(sentence: number): HashedSentence {
    return {
      rows: this.rowsOf(sentence),
      labels: this.labelsOf(sentence),
      mentions: this.#mentions[sentence] ?? NO_MENTIONS,
      hash: this.hashOf(sentence),
      alike: this.alikeOf(sentence),
      document: this.documentOf(sentence),
      isReleased: this.isReleased(sentence),
    };
  }

  rowsOf(sentence: number): Int32Array {
    return this.#rows.subarray(this.#starts[sentence], this.#starts[sentence + 1]);
  }

  labelsOf(sentence: number): Uint8Array {
    return this.#labels.subarray(this.#starts[sentence], this.#starts[sentence + 1]);
  }

  hashOf(sentence: number): Buffer {
    return this.#hashes.subarray(sentence * HASH_BYTES, (sentence + 1) * HASH_BYTES);
  }

  alikeOf(sentence: number): Buffer {
    return this.#alike.subarray(sentence * HASH_BYTES, (sentence + 1) * HASH_BYTES);
  }

  documentOf(sentence: number): number {
    return this.#documents[sentence] as number;
  }

  isReleased(sentence: number): boolean {
    return this.#released[sentence] === 1;
  }

  *[Symbol.iterator](): Generator<HashedSentence> {
    for (let sentence = 0; sentence < this.#size; sentence++) yield this.at(sentence);
  }

  copiesOf(hash: Buffer): number {
    return this.#copies[this.#slotOf(hash)] as number;
  }

  /** The first sentence that has a hash; undefined where none has. */
  firstOf(hash: Buffer): number | undefined {
    const taken = this.#slots[this.#slotOf(hash)] as number;
    return taken === 0 ? undefined : taken - 1;
  }

  add(added: HashedSentence): void {
    const { rows, labels, mentions, hash, alike, document, isReleased } = added;
    const sentence = this.#size;
    const start = this.#starts[sentence] as number;
    this.#reserve(start + rows.length);
    this.#rows.set(rows, start);
    this.#labels.set(labels, start);
    this.#starts[sentence + 1] = start + rows.length;
    hash.copy(this.#hashes, sentence * HASH_BYTES);
    if (alike.length > 0) {
      if (this.#alike.length < this.#hashes.length)
        this.#alike = copied(this.#alike, Buffer.alloc(this.#hashes.length));
      alike.copy(this.#alike, sentence * HASH_BYTES);
    }
    this.#documents[sentence] = document;
    this.#released[sentence] = isReleased ? 1 : 0;
    if (mentions.length > 0) this.#mentions[sentence] = mentions;
    this.#size++;
    this.#count(sentence);
  }

  /** The first sentence that has a hash, where one has, stands in another note too, with these. */
  mention(hash: Buffer, mentions: readonly Mention[]): void {
    const first = this.firstOf(hash);
    if (first === undefined) return;
    const known = this.#mentions[first] ?? NO_MENTIONS;
    const names = new Set(known.map(nameOf));
    const more = mentions.filter((mention) => !names.has(nameOf(mention)));
    if (more.length > 0) this.#mentions[first] = [...known, ...more];
  }

  /** Forgets all of them, and keeps the memory. */
  clear(): void {
    this.#size = 0;
    this.#mentions = [];
    this.#slots.fill(0);
    this.#copies.fill(0);
  }

  /** Keeps those whose hash `isKept` wants, in their order. */
  keep(isKept: (hash: Buffer) => boolean): void {
    const size = this.#size;
    const mentions = this.#mentions;
    this.clear();
    // In place: what is added never comes behind what is read.
    for (let sentence = 0; sentence < size; sentence++) {
      const each = this.at(sentence);
      if (isKept(each.hash)) this.add({ ...each, mentions: mentions[sentence] ?? NO_MENTIONS });
    }
  }

  /** Gives every token the row that `rowOf` gives for its row. */
  renumber(rowOf: (row: number) => number): void {
    const tokens = this.#starts[this.#size] as number;
    for (let t = 0; t < tokens; t++) this.#rows[t] = rowOf(this.#rows[t] as number);
  }

  #count(sentence: number): void {
    const slot = this.#slotOf(this.hashOf(sentence));
    if (this.#slots[slot] === 0) this.#slots[slot] = sentence + 1;
    this.#copies[slot] = (this.#copies[slot] as number) + 1;
  }

  /** The slot of a hash, empty where no sentence has it. At most half of them are taken. */
  #slotOf(hash: Buffer): number {
    const mask = this.#slots.length - 1;
    // Not the bytes that tell portions apart, which are alike here.
    let slot = hash.readUInt32LE(HASH_BYTES - 4) & mask;
    for (;;) {
      const taken = this.#slots[slot] as number;
      if (taken === 0 || this.#hasHash(taken - 1, hash)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #hasHash(sentence: number, hash: Buffer): boolean {
    const from = sentence * HASH_BYTES;
    // Most others differ in the first byte, and the call takes longer than all bytes of it.
    return (
      this.#hashes[from] === hash[0] && hash.compare(this.#hashes, from, from + HASH_BYTES) === 0
    );
  }

  /** Room for one more sentence, with so many tokens in all. */
  #reserve(tokens: number): void {
    if (tokens > this.#rows.length) {
      const length = Math.max(tokens, 2 * this.#rows.length);
      this.#rows = copied(this.#rows, new Int32Array(length));
      this.#labels = copied(this.#labels, new Uint8Array(length));
    }
    const most = this.#starts.length - 1;
    if (this.#size < most) return;
    this.#starts = copied(this.#starts, new Uint32Array(2 * most + 1));
    this.#hashes = copied(this.#hashes, Buffer.alloc(2 * most * HASH_BYTES));
    this.#documents = copied(this.#documents, new Uint32Array(2 * most));
    this.#released = copied(this.#released, new Uint8Array(2 * most));
    this.#slots = new Uint32Array(4 * most);
    this.#copies = new Uint32Array(4 * most);
    for (let sentence = 0; sentence < this.#size; sentence++) this.#count(sentence);
  }
}

function nameOf({ words, whole, tokens }: Mention): string {
  return JSON.stringify([words, whole, tokens]);
}

function copied<T extends Int32Array | Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
