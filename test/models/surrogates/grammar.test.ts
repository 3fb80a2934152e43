import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { secretDraws } from '../../../models/surrogates/draws.js';
import { EntityForm, inCase } from '../../../models/surrogates/entity-form.js';
import { misspelt } from '../../../models/surrogates/misspelling.js';
import { PseudoWords } from '../../../models/surrogates/pseudo-words.js';
import { surroundingCases } from '../../../models/surrogates/surrounding-case.js';

const draws = (seed: number) => secretDraws(Buffer.alloc(32, seed));

describe('the form of an entity', () => {
  test.each([
    ['{city} General Hospital', 'upper', 'SEGOVIA GENERAL HOSPITAL'],
    ['{city:upper} General', 'lower', 'segovia general'],
    ['Calle {city} {07-07}', 'lower', 'calle segovia 07'],
  ] as const)('%s in %s case is %s', (form, written, filled) => {
    const lists = { city: ['Segovia'] };
    const other = new EntityForm(inCase(form, written), lists);
    expect(other.fill(draws(1), () => 'Segovia')).toBe(filled);
  });

  test('misspells a word where it says so, and there alone', () => {
    const form = new EntityForm('{family}, {family:typo}', { family: ['Gutiérrez'] });
    const [right, wrong] = form.fill(draws(3), () => 'Gutiérrez').split(', ');
    expect(right).toBe('Gutiérrez');
    expect(wrong).not.toBe('Gutiérrez');
    expect(wrong?.[0]).toBe('G');
  });
});

test('a misspelt word begins as it did and is at most one letter longer or shorter', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zñé]{4,15}$/), fc.nat(255), (word, seed) => {
      const wrong = misspelt(word, draws(seed));
      expect(wrong[0]).toBe(word[0]);
      expect(Math.abs(wrong.length - word.length)).toBeLessThanOrEqual(1);
    }),
  );
});

describe('pseudo-words', () => {
  const words = ['Martínez', 'Márquez', 'Mendoza', 'Montero', 'Robles', 'Romero', 'Ramírez'];

  test('have letters that follow one another in the list', () => {
    const pseudoWords = new PseudoWords(words);
    const pairs = words.flatMap((word) => pairsIn(word.toLowerCase()));
    const stream = draws(5);
    for (let i = 0; i < 200; i++) {
      const word = pseudoWords.draw(stream);
      expect(word).toMatch(/^\p{Lu}\p{Ll}*$/u);
      for (const pair of pairsIn(word.toLowerCase())) expect(pairs).toContain(pair);
    }
  });

  test('are new ones of the same draws, and the same for the same secret', () => {
    const drawn = (seed: number) => {
      const stream = draws(seed);
      const pseudoWords = new PseudoWords(words);
      return Array.from({ length: 50 }, () => pseudoWords.draw(stream));
    };
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
    expect(drawn(1).some((word) => !words.includes(word))).toBe(true);
  });
});

function pairsIn(word: string): string[] {
  const letters = [...word];
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

describe('the case around an entity', () => {
  const lower = 'seen in clinic with cough and fever for three days, no rash, lungs clear, '.repeat(
    2,
  );
  test.each([
    ['text without a capital', [lower, ' told to rest'], ['lower']],
    ['text with sentences', [`Seen today. ${lower}`, '. Told to rest.'], ['mixed']],
    ['a heading in capitals', ['DISCHARGE SUMMARY, DR ', `, WARD 3\n${lower}. Rest.`], ['mixed']],
    ['a note in capitals', ['DISCHARGE SUMMARY, DR ', ', WARD 3. TOLD TO REST'], ['upper']],
    ['two words', ['MR ', ' went home'], ['mixed']],
    ['nothing', ['', '', ''], ['mixed', 'mixed']],
  ])('of %s', (_what, gaps, cases) => {
    expect(surroundingCases(gaps)).toEqual(cases);
  });

  test('is what the letters near it say, and those of the whole note', () => {
    const parts = fc.constantFrom(
      'A',
      'É',
      'MAYÚSCULAS ',
      'b',
      'ñ',
      'ß ',
      'minúsculas ',
      ' 7.',
      'ª中',
    );
    const capitals = fc.constantFrom('A', 'É', 'MAYÚSCULAS ', ' 7.');
    const small = fc.constantFrom('b', 'minúsculas ', ' 7.');
    const gap = fc
      .oneof(fc.array(parts), fc.array(capitals), fc.array(small))
      .map((each) => each.join(''));
    const met = new Set<string>();
    fc.assert(
      fc.property(fc.array(gap, { minLength: 1, maxLength: 24 }), (gaps) => {
        const cases = surroundingCases(gaps);
        for (const each of cases) met.add(each);
        expect(cases).toEqual(casesByLetters(gaps));
      }),
      {
        numRuns: 2000,
        examples: [[['minúsculas '.repeat(12), '']], [['MAYÚSCULAS ', ' MAYÚSCULAS']], [['b', '']]],
      },
    );
    expect([...met].sort()).toEqual(['lower', 'mixed', 'upper']);
  });
});

/** Forty letters on either side, of sixteen texts at most, or hardly a capital in all of them. */
function casesByLetters(gaps: readonly string[]): string[] {
  const lettersIn = (texts: readonly string[]) => texts.join('').match(/[\p{Lu}\p{Ll}]/gu) ?? [];
  const capitalsIn = (letters: readonly string[]) => letters.filter((each) => /\p{Lu}/u.test(each));
  const all = lettersIn(gaps);
  const isLower = all.length >= 120 && capitalsIn(all).length <= 0.01 * all.length;
  return gaps.slice(1).map((_, entity) => {
    if (isLower) return 'lower';
    const before = lettersIn(gaps.slice(Math.max(0, entity - 15), entity + 1)).slice(-40);
    const near = [...before, ...lettersIn(gaps.slice(entity + 1, entity + 17)).slice(0, 40)];
    return near.length >= 12 && capitalsIn(near).length === near.length ? 'upper' : 'mixed';
  });
}
