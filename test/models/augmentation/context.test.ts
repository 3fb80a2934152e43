import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contextWords, holdsPhi, inOtherWords } from '../../../models/augmentation/context.js';
import type { ClassedWord, Lexicon, WordClass } from '../../../models/augmentation/lexicon.js';
import { keyOf } from '../../../models/augmentation/lexicon.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import { createLabelScheme, loadLabelScheme } from '../../../models/text/label-scheme.js';
import { sentencesOf } from '../../../models/text/labelled-sentence.js';

const scheme = createLabelScheme({ name: 'names', version: '1', types: ['NAME'], map: {} });

const CLASSES: Readonly<Record<string, readonly [WordClass, readonly string[]]>> = {
  met: ['verb', ['saw', 'ana']],
  old: ['adjective', ['aged']],
  house: ['noun', ['home']],
  happily: ['adverb', ['gladly']],
};

/** A language of four words, one of which a name stands for as well. */
const lexicon: Lexicon = {
  classesOf: (tokens) =>
    tokens.map((word): ClassedWord | undefined => {
      const [wordClass] = CLASSES[word] ?? [];
      return wordClass && { word, class: wordClass, lemma: word, tag: '' };
    }),
  substitutes: async (words) =>
    new Map([...words].map((each) => [keyOf(each), CLASSES[each.word]?.[1] ?? []])),
};

const document: Document = {
  id: 'a',
  text: 'She met Ana in the old house. The house was old. Old she met happily old Ana.',
  spans: [
    { type: 'NAME', start: 8, end: 11 },
    { type: 'NAME', start: 73, end: 76 },
  ],
};

const sentenceTexts = (each: Document) =>
  sentencesOf(each, scheme, 0).map(({ tokens, labels }) => ({
    words: tokens.map(({ text }) => text),
    phi: tokens.filter((_, t) => (labels[t] as number) > 0).map(({ text }) => text),
  }));

describe('sentences in other words', () => {
  test('are those that hold PHI, which stays as it is, as do capitals and what names somebody', async () => {
    const words = await contextWords([document], scheme, lexicon);
    const found = new Set<string>();
    for (let seed = 1; seed <= 40; seed++) {
      const [first, second, third] = sentenceTexts(
        inOtherWords(document, scheme, words, new Random(seed)),
      );
      expect([first?.phi, second?.phi, third?.phi]).toEqual([['Ana'], [], ['Ana']]);
      expect(second?.words.join(' ')).toBe('The house was old .');
      expect(third?.words[0]).toBe('Old');
      found.add(first?.words.join(' ') ?? '');
    }
    // By a coin synonyms, or an adverb before one of verb and adjective; no adjective before `old house`.
    expect(found).toEqual(
      new Set([
        'She saw Ana in the aged home .',
        'She happily met Ana in the old house .',
        'She met Ana in the happily old house .',
      ]),
    );
  });

  test('have no adjective between a name and its noun', async () => {
    const named: Document = {
      id: 'b',
      text: 'Ana met the Supreme house there. The old house met Ana near a house.',
      spans: [
        { type: 'NAME', start: 0, end: 3 },
        { type: 'NAME', start: 51, end: 54 },
      ],
    };
    const words = await contextWords([named], scheme, lexicon);
    const found = Array.from({ length: 40 }, (_, seed) => {
      return inOtherWords(named, scheme, words, new Random(seed)).text;
    });
    expect(found.some((text) => text.includes('near a old house'))).toBe(true);
    expect(found.filter((text) => /Supreme old/.test(text))).toEqual([]);
  });

  test('have nine of ten words of a class replaced, rounded down, and one at least', async () => {
    const text = `Ana ${'house '.repeat(5).trim()} old.`;
    const own: Document = { id: 'c', text, spans: [{ type: 'NAME', start: 0, end: 3 }] };
    const words = await contextWords([own], scheme, lexicon);
    const counts = Array.from({ length: 40 }, (_, seed) => {
      const other = inOtherWords(own, scheme, words, new Random(seed)).text;
      return [other.split('home').length - 1, other.split('aged').length - 1].join();
    });
    expect(new Set(counts)).toEqual(new Set(['0,0', '4,1']));
  });

  test('are the same for the same draws', async () => {
    const words = await contextWords([document], scheme, lexicon);
    const [one, again] = [5, 5].map((seed) =>
      inOtherWords(document, scheme, words, new Random(seed)),
    );
    expect(again).toEqual(one);
  });

  test('have one label a token, and the tokens of PHI that they had', async () => {
    const synthetic = loadLabelScheme('synthetic');
    const documents = [...generateNotes({ seed: 2, documents: 6 })];
    const every: Lexicon = {
      classesOf: (tokens) =>
        tokens.map((word): ClassedWord | undefined =>
          /^[a-z]{3,}$/.test(word)
            ? {
                word,
                class:
                  (['verb', 'noun', 'adverb', 'adjective'] as const)[word.length % 4] ?? 'noun',
                lemma: word,
                tag: '',
              }
            : undefined,
        ),
      substitutes: async (all) =>
        new Map([...all].map((each) => [keyOf(each), ['lorem', 'ipsums']])),
    };
    const words = await contextWords(documents, synthetic, every);
    const phiOf = (each: Document) =>
      sentencesOf(each, synthetic, 0)
        .filter(holdsPhi)
        .map(({ tokens, labels }) =>
          tokens.flatMap(({ text }, t) => (labels[t] ? [`${text} ${labels[t]}`] : [])),
        );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.nat(5), (seed, at) => {
        const own = documents[at] as Document;
        const other = inOtherWords(own, synthetic, words, new Random(seed));
        expect(phiOf(other)).toEqual(phiOf(own));
        expect(other.text).not.toBe(own.text);
      }),
      { numRuns: 25 },
    );
  });
});
