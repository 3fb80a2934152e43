import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_SENTENCE_TOKENS, splitSentences } from '../../../models/text/sentence-splitter.js';
import type { Token } from '../../../models/text/token.js';
import { tokenise } from '../../../models/text/tokeniser.js';

function sentences(text: string): string[] {
  return splitSentences(text, tokenise(text)).map((tokens) =>
    text.slice(tokens[0]?.start, tokens.at(-1)?.end),
  );
}

describe('splitSentences', () => {
  test.each([
    ['English', 'Seen by Dr. J. Smith. No. 5 was given, e.g. Aspirin. He left.', 3],
    ['English', 'He said "stop." Then he left! Did he? Yes.', 4],
    ['English', 'Hepatitis C. The patient denies fever. Temp. 38.5 today.', 3],
    ['Spanish', 'Vive en la Avda. Goya, núm. 5. ¿Refiere dolor? La Dra. Ruiz lo vio.', 3],
    ['Spanish', 'C/. Miguel de Moncada, 15, 4.º. Tomó 5 mg. Se fue.', 3],
    ['German', 'Am 3. Mai kam Hr. Weber, z. B. wegen Fieber. Dr. med. Kaya sah ihn.', 2],
    ['French', 'Vu par le Pr. Durand, 12 av. Foch. M. Petit va bien.', 2],
  ])('ends %s sentences at punctuation that is not an abbreviation: %s', (_, text, count) => {
    expect(sentences(text)).toHaveLength(count);
  });

  test('ends a sentence at the end of a short line, a form field and a blank line', () => {
    const text = 'Datos del paciente.\nNombre:  Ernesto.\nMotivo de consulta\nDolor\n\ny fiebre';
    expect(sentences(text)).toEqual([
      'Datos del paciente.',
      'Nombre:  Ernesto.',
      'Motivo de consulta',
      'Dolor',
      'y fiebre',
    ]);
  });

  test('joins lines that an editor wrapped', () => {
    const text =
      'The patient was admitted on Friday with chest pain radiating to the\nleft arm and was seen by the cardiology team of Saint Marys Hospital\nTuesday morning. He left.';
    expect(sentences(text)).toHaveLength(2);
    expect(sentences('one\r\ntwo\rthree')).toHaveLength(1);
  });

  test('starts a sentence at every bullet and list number, and keeps the marker with its item', () => {
    expect(sentences('Plan:\n- aspirin\n• rest\n1. Walk. Run.\n2) sleep\na) eat')).toEqual([
      'Plan:',
      '- aspirin',
      '• rest',
      '1. Walk.',
      'Run.',
      '2) sleep',
      'a) eat',
    ]);
  });

  test('does not take a time, a decimal or an address for the end of a sentence', () => {
    expect(sentences('At 10.30 a bolus of 1.5 mg was mailed to j.doe@x.org by her')).toHaveLength(
      1,
    );
  });

  test('cuts an overlong sentence behind a clause, else at white space, else at the cap', () => {
    const clause = `${'a '.repeat(100)}; ${'b '.repeat(100)}`;
    expect(sentences(clause)[0]).toMatch(/;$/);
    const address = `${'a '.repeat(100)}${'x.'.repeat(100)}`;
    expect(sentences(address)[0]).toBe('a '.repeat(100).trim());
    expect(sentences('.'.repeat(300)).map((sentence) => sentence.length)).toEqual([128, 128, 44]);
  });

  test('gives back every token once, in order, in sentences of at most the cap', () => {
    const piece = fc.constantFrom('Dr', 'a', 'B', '5', '.', '!', ' ', '\n', '\n\n', '- ', ':', ')');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        const text = pieces.join('');
        const tokens = tokenise(text);
        const split = splitSentences(text, tokens);
        expect(split.flat()).toEqual(tokens);
        for (const sentence of split) {
          expect(sentence.length).toBeGreaterThan(0);
          expect(sentence.length).toBeLessThanOrEqual(MAX_SENTENCE_TOKENS);
        }
      }),
    );
  });

  test('splits where it is told to and nowhere else, a token at its own beginning', () => {
    const text = 'One. Two three\n\nfour';
    const split = splitSentences(text, tokenise(text), [0, 7, 9]);
    expect(split.map((sentence) => sentence.map((token) => token.text))).toEqual([
      ['One', '.', 'Two'],
      ['three', 'four'],
    ]);
    const long = 'a '.repeat(300);
    expect(splitSentences(long, tokenise(long), [0]).map(({ length }) => length)).toEqual([
      128, 128, 44,
    ]);
  });

  test.each([
    ['one letter', 'a'],
    ['letters', 'a '],
    ['digits', '7 '],
    ['newlines', '\n'],
    ['line starts', '- \n'],
    ['form labels', 'A '],
    ['full stops', '.'],
    ['initials', 'J. '],
    ['closers', '") '],
    ['combining marks', '\u0301'],
  ])('reads tokens in proportion to their number on a text of %s', (_, unit) => {
    const reads = [20_000, 80_000].map((length) => countReads(unit.repeat(length / unit.length)));
    expect(reads[1]).toBeLessThanOrEqual(4.2 * (reads[0] as number) + 1000);
  });
});

/** How many times the splitter looks at a token. */
function countReads(text: string): number {
  let reads = 0;
  const tokens = new Proxy<Token[]>(tokenise(text), {
    get(target, key, receiver) {
      reads++;
      return Reflect.get(target, key, receiver);
    },
  });
  splitSentences(text, tokens);
  return reads;
}
