import { describe, expect, test } from '@jest/globals';
import { createEmbeddings, embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { TRAINED_VECTORS, Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { ZERO_ROW } from '../../../models/tensor/embedding.js';
import { CODES_A_WORD, codeCount } from '../../../models/text/character-codes.js';

const embeddings = embeddingsFromRows(
  ['ana', 'Luis', 'luis', '12'],
  Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
);

describe('Vocabulary', () => {
  test('without casing gives words of one row one id, and words of two rows two', () => {
    const vocabulary = new Vocabulary(embeddings, { casing: false });
    const ana = vocabulary.idOf('ana');
    expect(vocabulary.idOf('ANA')).toBe(ana);
    expect(vocabulary.idOf('Ana')).toBe(ana);
    expect(vocabulary.idOf('Luis')).not.toBe(vocabulary.idOf('luis'));
    expect(vocabulary.idOf('LUIS')).toBe(vocabulary.idOf('luis'));
    expect(vocabulary.size).toBe(3);
  });

  test('gives words of one row and one casing one id, and others two', () => {
    const vocabulary = new Vocabulary(embeddings);
    const ids = ['ana', 'ANA', 'Ana', 'nadie', 'NADIE', 'niemand'].map((word) =>
      vocabulary.idOf(word),
    );
    const [ana, upper, initial, unknown, loud, other] = ids;
    expect(new Set([ana, upper, initial, unknown, loud]).size).toBe(5);
    expect(other).toBe(unknown);
    expect(ids.map((id) => vocabulary.casing(id as number))).toEqual([2, 3, 4, 2, 3, 2]);
    expect(vocabulary.table().casing).toEqual(Uint8Array.of(2, 3, 4, 2, 3));
    expect([ana, upper, initial].map((id) => vocabulary.key(id as number))).toEqual(
      Array.from({ length: 3 }, () => 'w:ana'),
    );
    expect([ana, upper, initial].map((id) => vocabulary.uncased(id as number))).toEqual(
      Array.from({ length: 3 }, () => ana),
    );
    expect(vocabulary.inCasing(upper as number, 4)).toBe(initial);
    expect(vocabulary.inCasing(unknown as number, 3)).toBe(loud);
    const fresh = vocabulary.fresh();
    expect(fresh.casing(fresh.idOfSame(vocabulary, upper as number))).toBe(3);
    expect(fresh.key(fresh.idOfSame(vocabulary, loud as number))).toBe('unknown');
  });

  test('takes accents that are marks of their own for composed letters, unless the matrix has the word so', () => {
    const apart = 'jose\u0301';
    const words = ['josé', apart.replace('j', 'r'), 'rosé'];
    const accented = embeddingsFromRows(words, Float32Array.of(1, 2, 3, 4, 5, 6));
    for (const characters of [false, true]) {
      const vocabulary = new Vocabulary(accented, { characters });
      const pairs = ['josé', 'José', 'JOSÉ', 'andrés', 'Íñigo'];
      for (const word of pairs)
        expect(vocabulary.idOf(word.normalize('NFD'))).toBe(vocabulary.idOf(word));
      expect(vocabulary.key(vocabulary.idOf('Jose\u0301'))).toBe('w:josé');
      expect(vocabulary.idOf(apart.replace('j', 'r'))).not.toBe(vocabulary.idOf('rosé'));
    }
  });

  test('where characters count, gives words without a vector an id each, which says what they are', () => {
    const vocabulary = new Vocabulary(embeddings, { characters: true });
    const words = ['nadie', 'niemand', 'NADIE', '345', '346', 'LUIS'];
    const ids = words.map((word) => vocabulary.idOf(word));
    expect(new Set(ids).size).toBe(6);
    expect(words.map((word) => vocabulary.lookUp(word))).toEqual(ids);
    expect(ids.map((id) => vocabulary.spelling(id))).toEqual([
      ...['nadie', 'niemand', 'nadie', '345', '346', 'luis'],
    ]);
    expect(ids.map((id) => vocabulary.trained(id))).toEqual([1, 1, 1, 4, 4, 0]);
    const [nadie, , loud] = ids as [number, number, number];
    expect(vocabulary.inCasing(nadie, 3)).toBe(loud);
    expect(vocabulary.uncased(loud)).toBe(nadie);
    const fresh = vocabulary.fresh();
    expect(fresh.key(fresh.idOfSame(vocabulary, loud))).toBe('unknown:nadie');
    const codes = vocabulary.table().codes.subarray(0, CODES_A_WORD);
    expect([...codes.subarray(0, codeCount(codes))]).toEqual(
      Array.from('nadie', (letter) => 2 + letter.charCodeAt(0)),
    );
    expect(new Vocabulary(embeddings).table().codes).toHaveLength(0);
  });

  test('names rows the same whatever the order in which words are met', () => {
    const words = ['luis', 'ANA', 'nadie', '12', '345', 'Luis'];
    const keys = (order: readonly string[]) => {
      const vocabulary = new Vocabulary(embeddings);
      for (const word of order) vocabulary.idOf(word);
      return words.map((word) => vocabulary.key(vocabulary.idOf(word)));
    };
    expect(keys(words)).toEqual(['w:luis', 'w:ana', 'unknown', 'w:12', 'digits:3', 'w:Luis']);
    expect(keys(words.toReversed())).toEqual(keys(words));
  });

  test('holds the vector of every fixed row, and zeros where the vector is trained', () => {
    const vocabulary = new Vocabulary(embeddings);
    for (const word of ['luis', 'nadie', '7', 'ana']) vocabulary.idOf(word);
    expect(vocabulary.vectors()).toEqual(Float32Array.of(5, 6, 0, 0, 0, 0, 1, 2));
  });

  test('keeps vectors when it grows', () => {
    const words = Array.from({ length: 5000 }, (_, index) => `w${index}`);
    const many = embeddingsFromRows(
      words,
      Float32Array.from({ length: 15000 }, (_, i) => i),
    );
    const vocabulary = new Vocabulary(many);
    for (const word of words) vocabulary.idOf(word);
    expect(vocabulary.vectors()).toEqual(many.matrix);
  });

  test('trains one unknown vector and one for each length of digits, long ones together', () => {
    const vocabulary = new Vocabulary(embeddings);
    const trained = (word: string) => vocabulary.trained(vocabulary.idOf(word));
    expect(['nadie', 'x1', '-', ''].map(trained)).toEqual([1, 1, 1, 1]);
    expect(['1', '345', '1'.repeat(10), '2'.repeat(40)].map(trained)).toEqual([2, 4, 11, 11]);
    expect(['ana', '12'].map(trained)).toEqual([0, 0]);
    const numbers = Array.from({ length: TRAINED_VECTORS }, (_, index) => index + 1);
    for (const number of numbers)
      expect(vocabulary.trained(vocabulary.idOfTrained(number, 2))).toBe(number);
  });

  test('gives a word outside the matrix the subword vector of its lower case', () => {
    const asked: string[] = [];
    const vector = (word: string) => {
      asked.push(word);
      return word === '-' ? undefined : Float32Array.of(word.length, 9);
    };
    const vocabulary = new Vocabulary(createEmbeddings({ ...embeddings, subwords: { vector } }));
    const id = vocabulary.idOf('NADIE');
    expect(vocabulary.idOf('nadie')).not.toBe(id);
    expect(asked).toEqual(['nadie']);
    expect(vocabulary.vectors()).toEqual(Float32Array.of(5, 9, 5, 9));
    vocabulary.idOf('Nadie');
    expect(asked).toEqual(['nadie']);
    expect(vocabulary.vectors()).toEqual(Float32Array.of(5, 9, 5, 9, 5, 9));
    expect(vocabulary.key(id)).toBe('w:nadie');
    expect(vocabulary.rowOf(id)).toBe(-1);
    expect(vocabulary.trained(vocabulary.idOf('-'))).toBe(1);
    expect(vocabulary.trained(vocabulary.idOf('345'))).toBe(0);
  });

  test('says where each vector stands, for another thread too: in the matrix, or behind it', () => {
    const vector = (word: string) => Float32Array.of(word.length, 9);
    const vocabulary = new Vocabulary(createEmbeddings({ ...embeddings, subwords: { vector } }));
    const ids = ['luis', 'nadie', 'NADIE', 'nada', 'ana'].map((word) => vocabulary.idOf(word));
    const { matrix, composed, places } = vocabulary.table();
    const W = embeddings.words.length;
    expect(ids.map((id) => vocabulary.place(id))).toEqual([2, W, W, W + 1, 0]);
    expect([...places]).toEqual([2, W, W, W + 1, 0]);
    expect([...composed]).toEqual([5, 9, 4, 9]);
    expect(matrix).toEqual(embeddings.matrix);
    for (const { buffer } of [matrix, composed]) expect(buffer).toBeInstanceOf(SharedArrayBuffer);
    const plain = new Vocabulary(embeddings);
    expect(plain.place(plain.idOf('nadie'))).toBe(ZERO_ROW);
  });

  test('keeps composed vectors when there are more of them', () => {
    const vector = (word: string) => Float32Array.of(Number(word.slice(1)), 9);
    const vocabulary = new Vocabulary(createEmbeddings({ ...embeddings, subwords: { vector } }));
    const ids = Array.from({ length: 5000 }, (_, i) => vocabulary.idOf(`q${i}`));
    const composed = vocabulary.composed();
    const W = embeddings.words.length;
    expect(ids.map((id) => composed[2 * (vocabulary.place(id) - W)])).toEqual(ids.map((_, i) => i));
  });

  test('knows digits-only words, fixed or trained', () => {
    const vocabulary = new Vocabulary(embeddings);
    const digits = (word: string) => vocabulary.isDigits(vocabulary.idOf(word));
    expect(['12', '999', 'ana', '1a', 'nadie'].map(digits)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('refuses an id that it never gave', () => {
    expect(() => new Vocabulary(embeddings).key(0)).toThrow('no id 0');
  });
});

describe('embeddingsFromRows', () => {
  test('has one identity for one content', () => {
    const again = embeddingsFromRows([...embeddings.words], embeddings.matrix.slice());
    expect(again.identity).toBe(embeddings.identity);
    const other = embeddingsFromRows(['ana'], Float32Array.of(1, 2));
    expect(other.identity).not.toBe(embeddings.identity);
  });

  test('refuses a matrix that does not fit the words, and a word that stands twice', () => {
    expect(() => embeddingsFromRows(['a', 'b'], new Float32Array(3))).toThrow(/whole number/);
    expect(() => embeddingsFromRows(['a', 'a'], new Float32Array(4))).toThrow(/repeat a word/);
  });
});
