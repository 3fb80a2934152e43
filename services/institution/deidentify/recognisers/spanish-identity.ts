import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** Orden INT/2058/2008 and Real Decreto 1553/2005: the letter that a remainder by 23 gives. */
const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
/** Of foreigners, the digit that their first letter stands for. */
const FIRST_LETTERS = 'XYZ';
const BEFORE = String.raw`(?<![\p{L}\p{N}]|\d[.-])`;
const AFTER = String.raw`(?![\p{L}\p{N}]|-\d)`;

/** Whether the last letter is that of the number before it. */
function hasCheckLetter(match: string): boolean {
  const compact = match.replace(/[^\p{L}\d]/gu, '').toUpperCase();
  const digits = compact
    .slice(0, -1)
    .replace(/^[XYZ]/, (letter) => `${FIRST_LETTERS.indexOf(letter)}`);
  return LETTERS[Number(digits) % LETTERS.length] === compact.at(-1);
}

const NIF_SHAPES: readonly Shape[] = [
  {
    pattern: 'eight digits and their letter',
    expression: new RegExp(
      String.raw`${BEFORE}(?:\d{8}|\d{2}\.\d{3}\.\d{3})[ -]?[A-Z]${AFTER}`,
      'gu',
    ),
    score: 0.7,
    check: hasCheckLetter,
  },
];

const NIE_SHAPES: readonly Shape[] = [
  {
    pattern: 'letter, seven digits and their letter',
    expression: new RegExp(String.raw`${BEFORE}[XYZ][ -]?\d{7}[ -]?[A-Z]${AFTER}`, 'gu'),
    score: 0.8,
    check: hasCheckLetter,
  },
];

const NIF_CONTEXT = ['nif', 'dni', 'documento', 'identidad'];

/** Documento nacional de identidad, which is the number for taxes as well. */
export const ES_NIF: Recogniser = {
  name: 'EsNifRecognizer',
  type: 'ES_NIF',
  context: NIF_CONTEXT,
  find: (text) => matchesOf(text, NIF_SHAPES),
};

/** Número de identidad de extranjero. */
export const ES_NIE: Recogniser = {
  name: 'EsNieRecognizer',
  type: 'ES_NIE',
  context: ['nie', 'extranjero', ...NIF_CONTEXT],
  find: (text) => matchesOf(text, NIE_SHAPES),
};
