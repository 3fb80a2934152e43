import { rowVector } from '../../models/embeddings/embeddings.js';
import { stopWords } from '../../models/embeddings/stop-words.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { isPunctuation } from '../../models/embeddings/word-shape.js';
import { CODES_A_WORD } from '../../models/text/character-codes.js';

export const KINDS = ['content', 'stop word', 'punctuation', 'digits', 'zero vector'] as const;

type Kind = (typeof KINDS)[number];

/** Of whole numbers that stand for the values of a vector, the greatest. */
const ROUNDED_MOST = 255;

const STOP_WORDS = stopWords(['en', 'es']);

/** Word forms, numbered as they are met; in whatever casing, a word has one number. */
export class WordList {
  readonly #indexOf = new Map<string, number>();
  /** Of each form, one of its ids. */
  readonly #ids: number[] = [];

  constructor(private readonly vocabulary: Vocabulary) {}

  get size(): number {
    return this.#ids.length;
  }

  /** The number of a word of the vocabulary, which is added where it is new. */
  indexOf(id: number): number {
    const key = this.vocabulary.key(id);
    const known = this.#indexOf.get(key);
    if (known !== undefined) return known;
    const index = this.size;
    this.#indexOf.set(key, index);
    this.#ids.push(id);
    return index;
  }

  /**
   * What is known of each form, by the name of a file. Vectors stand for those alone that have one: of the first `exact`
   * forms as they are, of all others as whole numbers, to be multiplied by their scale.
   */
  files(exact: number): Record<string, ArrayBufferView> {
    const { vocabulary } = this;
    const ids = this.#ids;
    const withVector = (from: number, to: number) =>
      this.#vectorsOf(ids.slice(from, to).filter((id) => vocabulary.trained(id) === 0));
    const others = withVector(exact, ids.length);
    const scales = this.#scalesOf(others);
    return {
      'kinds.u8': Uint8Array.from(ids, (id) => KINDS.indexOf(this.kindOf(id))),
      'in-matrix.u8': Uint8Array.from(ids, (id) => Number(vocabulary.rowOf(id) >= 0)),
      'trained.u8': Uint8Array.from(ids, (id) => vocabulary.trained(id)),
      'vectors.f32': withVector(0, exact),
      'vectors.i16': Int16Array.from(others, (value, i) =>
        Math.round(value / (scales[Math.floor(i / vocabulary.dimension)] as number)),
      ),
      'scales.f32': scales,
      'codes.u16': this.#codes(),
    };
  }

  /** Content and digits alone become other words. */
  kindOf(id: number): Kind {
    const { vocabulary } = this;
    if (vocabulary.isDigits(id)) return 'digits';
    const word = vocabulary.spelling(id);
    if (word === undefined) return 'zero vector';
    if (isPunctuation(word)) return 'punctuation';
    if (STOP_WORDS.has(word.toLowerCase())) return 'stop word';
    if (vocabulary.trained(id) > 0) return 'content';
    const vector = rowVector(vocabulary.vectors(), vocabulary.dimension, id);
    return vector.every((value) => value === 0) ? 'zero vector' : 'content';
  }

  #vectorsOf(ids: readonly number[]): Float32Array {
    const { dimension } = this.vocabulary;
    const all = this.vocabulary.vectors();
    const vectors = new Float32Array(ids.length * dimension);
    ids.forEach((id, i) => {
      vectors.set(rowVector(all, dimension, id), i * dimension);
    });
    return vectors;
  }

  /** [words] of vectors [words · E] */
  #scalesOf(vectors: Float32Array): Float32Array {
    const { dimension } = this.vocabulary;
    return Float32Array.from({ length: vectors.length / dimension }, (_, word) => {
      const greatest = rowVector(vectors, dimension, word).reduce(
        (most, value) => Math.max(most, Math.abs(value)),
        Number.MIN_VALUE,
      );
      return greatest / ROUNDED_MOST;
    });
  }

  /** [words · CODES_A_WORD], empty where characters do not count. */
  #codes(): Uint16Array {
    const all = this.vocabulary.codes();
    if (all.length === 0) return all;
    const codes = new Uint16Array(this.size * CODES_A_WORD);
    this.#ids.forEach((id, i) => {
      codes.set(all.subarray(id * CODES_A_WORD, (id + 1) * CODES_A_WORD), i * CODES_A_WORD);
    });
    return codes;
  }
}
