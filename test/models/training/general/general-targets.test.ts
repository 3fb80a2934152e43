import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { batchOf } from '../../../../models/training/data/batch.js';
import type { TextExample } from '../../../../models/training/data/examples.js';
import {
  labelledTargets,
  namingWords,
  targetsOf,
  unlabelledTargets,
} from '../../../../models/training/general/general-targets.js';

const LOWER = ['fiebre', 'dolor', 'ana', '5mg'];
const OTHERS = ['Ana', 'ANA', 'DNI', '1975', 'B12', 'McCoy'];
const PUNCTUATION = ['.', '--', '(', '«'];
const UNKNOWN = ['xyzzy', 'Xyzzy', '123456'];
const WORDS = [...LOWER, ...OTHERS, ...PUNCTUATION, ...UNKNOWN];

const rows = [...LOWER, ...OTHERS, ...PUNCTUATION];
const vocabulary = new Vocabulary(
  embeddingsFromRows(
    rows,
    Float32Array.from(rows, (_, i) => i + 1),
  ),
);

const token = fc.record({ word: fc.constantFrom(...WORDS), label: fc.integer({ min: 0, max: 2 }) });
const sentences = fc.array(fc.array(token, { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 6,
});
type Sentence = readonly { readonly word: string; readonly label: number }[];

const exampleOf = (sentence: Sentence): TextExample => ({
  ids: Int32Array.from(sentence, ({ word }) => vocabulary.idOf(word)),
  labels: Uint8Array.from(sentence, ({ label }) => label),
  documentIndex: 0,
});

/** The tokens that a batch has as targets, with the place that each is read off less `offset`. */
function targeted(
  given: readonly Sentence[],
  isLabelled: boolean,
  offset: number,
  naming: ReadonlySet<string> = new Set(),
) {
  const batch = batchOf(given.map(exampleOf));
  const rule = isLabelled
    ? labelledTargets(vocabulary, naming)
    : unlabelledTargets(vocabulary, naming);
  const { places, words } = targetsOf(batch, rule, offset);
  return [...places].map((place, i) => {
    const row = Math.floor(place / batch.steps);
    const at = place - row * batch.steps;
    return { at, own: given[row]?.[at - offset], length: given[row]?.length ?? 0, id: words[i] };
  });
}

const offsets = fc.constantFrom(-1, 0, 1);

describe('the targets of the general objective', () => {
  test('are tokens of the sentence itself, never padding, and read off one of its tokens', () => {
    fc.assert(
      fc.property(sentences, fc.boolean(), offsets, (given, isLabelled, offset) => {
        for (const { at, own, length, id } of targeted(given, isLabelled, offset)) {
          expect(at).toBeLessThan(length);
          expect(id).toBe(vocabulary.idOf(own?.word ?? ''));
        }
      }),
    );
  });

  test('are never PHI, punctuation or words without a public vector in labelled notes', () => {
    fc.assert(
      fc.property(sentences, offsets, (given, offset) => {
        for (const { own } of targeted(given, true, offset)) {
          expect(own?.label).toBe(0);
          expect([...LOWER, ...OTHERS]).toContain(own?.word);
        }
      }),
    );
  });

  test('are all other tokens of labelled notes', () => {
    fc.assert(
      fc.property(sentences, (given) => {
        const wanted = given
          .flat()
          .filter(({ word, label }) => label === 0 && [...LOWER, ...OTHERS].includes(word));
        expect(targeted(given, true, 0).map(({ own }) => own)).toEqual(wanted);
      }),
    );
  });

  test('are never words that name somebody elsewhere, however they are written', () => {
    const movable = { of: (id: number) => (vocabulary.wordOf(id) === 'dolor' ? [] : [0, 1]) };
    fc.assert(
      fc.property(sentences, fc.boolean(), (given, isLabelled) => {
        const naming = namingWords(given.map(exampleOf), vocabulary, movable as never);
        const phi = given.flat().filter(({ label }) => label !== 0);
        for (const { own } of targeted(given, isLabelled, 0, naming)) {
          const written = own?.word.toLowerCase();
          const names = phi.some(({ word }) => word.toLowerCase() === written);
          expect(names && written !== 'dolor').toBe(false);
        }
      }),
    );
  });

  test('are words in lower case alone where nobody says what is a name', () => {
    fc.assert(
      fc.property(sentences, offsets, (given, offset) => {
        for (const { own } of targeted(given, false, offset)) expect(LOWER).toContain(own?.word);
      }),
    );
  });
});
