import { matchesOf, type Recogniser } from './recogniser.js';

/** Many other numbers have these shapes: without a word before them that says what they are they are guesses. */
const PASSPORT = [
  { pattern: 'nine digits', expression: /(?<![\p{L}\p{N}])\d{9}(?![\p{L}\p{N}])/gu, score: 0.05 },
  {
    pattern: 'letter and eight digits',
    expression: /(?<![\p{L}\p{N}])[A-Z]\d{8}(?![\p{L}\p{N}])/gu,
    score: 0.1,
  },
];
const ACCOUNT = [
  { pattern: 'digits', expression: /(?<![\p{L}\p{N}])\d{8,17}(?![\p{L}\p{N}])/gu, score: 0.05 },
];

export const US_PASSPORT: Recogniser = {
  name: 'UsPassportRecognizer',
  type: 'US_PASSPORT',
  languages: ['en'],
  context: ['passport'],
  find: (text) => matchesOf(text, PASSPORT),
};

export const US_BANK_ACCOUNT: Recogniser = {
  name: 'UsBankRecognizer',
  type: 'US_BANK_NUMBER',
  languages: ['en'],
  context: ['bank', 'account', 'acct', 'checking', 'savings', 'debit'],
  find: (text) => matchesOf(text, ACCOUNT),
};
