import { describe, expect, test } from '@jest/globals';
import {
  appearancesIn,
  isSharedWord,
  shorterForms,
  spansOf,
} from '../../../models/certification/entity.js';
import { moveEntity } from '../../../models/certification/move.js';

/** Words with their labels, as in "seen/0 ana/1 garcía/2". */
function note(...sentences: string[]) {
  return sentences.map((sentence) => {
    const tokens = sentence.split(' ').map((token) => token.split('/'));
    return {
      labels: Uint8Array.from(tokens, ([, label]) => Number(label)),
      wordAt: (token: number) => tokens[token]?.[0] as string,
    };
  });
}

const found = (...sentences: string[]) =>
  appearancesIn(note(...sentences), isSharedWord).map((own) =>
    own.map(({ words, tokens }) => `${words.join(' ')}: ${tokens}`),
  );

describe('the entities of a note', () => {
  test('are runs of B-t and its I-t, and runs that begin with I-t', () => {
    expect(spansOf(Uint8Array.of(0, 1, 2, 2, 1, 3, 4, 0, 6))).toEqual([
      { start: 1, end: 4 },
      { start: 4, end: 5 },
      { start: 5, end: 7 },
      { start: 8, end: 9 },
    ]);
    expect(spansOf(Uint8Array.of(1, 4))).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 2 },
    ]);
  });

  test('stand where their words are, whole or shortened, in either direction', () => {
    expect(found('ana/1 garcía/2 came/0', 'garcía/1 left/0', 'garcía/0')).toEqual([
      ['ana garcía: 0,1', 'garcía: 1'],
      ['ana garcía: 0', 'garcía: 0'],
      [],
    ]);
  });

  test('have the same whole places whatever their words are', () => {
    const wholeOf = (name: string) => {
      const given = note(`ana/1 ${name}/2 came/0`, 'dr/0 garcía/3', `ana/1 ${name}/2 ana/1`);
      return appearancesIn(given, isSharedWord).map((own) =>
        own.filter(({ words }) => words.length === 2).map(({ whole }) => whole),
      );
    };
    expect(wholeOf('lópez')).toEqual([[[0, 1]], [], [[0, 1]]]);
    expect(wholeOf('garcía')).toEqual([[[0, 1]], [[]], [[0, 1]]]);
  });

  test('share no number, no stop word and no punctuation', () => {
    expect(found('12/1 de/2 mayo/2', 'edad/0 12/3', 'de/1 abril/2')).toEqual([
      ['12 de mayo: 0,1,2'],
      ['12: 1'],
      ['de abril: 0,1'],
    ]);
  });

  test('move with the same word for a word, wherever it stands', () => {
    const [first, second] = appearancesIn(note('ana/1 garcía/2', 'dr/0 garcía/1'), isSharedWord);
    const drawn = (id: number) => id + 100;
    expect(moveEntity(Int32Array.of(1, 2), first?.[0]?.tokens ?? [], drawn)).toEqual(
      Int32Array.of(101, 102),
    );
    expect(moveEntity(Int32Array.of(3, 2), second?.[0]?.tokens ?? [], drawn)).toEqual(
      Int32Array.of(3, 102),
    );
  });

  test('have shorter forms, which begin and end with a word of their own', () => {
    const forms = (words: string) => shorterForms(words.split(' ')).map((form) => form.join(' '));
    expect(forms('ana garcía')).toEqual(['ana', 'garcía']);
    expect(forms('maría de la o')).toEqual(['maría']);
    expect(forms('ana')).toEqual([]);
    expect(forms('calle mayor 12')).toEqual(['calle', 'calle mayor', 'mayor']);
  });
});
