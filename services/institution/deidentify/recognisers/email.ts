import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** `atext` of RFC 5322, section 3.2.3, and the dot between its atoms. */
const LOCAL = String.raw`[\p{L}\p{M}\p{N}.!#$%&'*+\-\/=?^_\x60{|}~]`;
/** With a dot, a low line or a digit: a mere word before `at` is one of the sentence. */
const WORDY_LOCAL = String.raw`(?=[\p{L}\p{N}]*[._\d])[\p{L}\p{N}][\p{L}\p{N}._\-]*`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}\-]+`;

/**
 * RFC 5321, section 4.1.2, without quoted strings and address literals, and with the letters of RFC 6531.
 * The look-behind starts a match at the local part's first character alone: all of it is found, in linear time.
 */
const SHAPES: readonly Shape[] = [
  {
    pattern: 'e-mail address',
    expression: new RegExp(
      String.raw`(?<!${LOCAL})${LOCAL}+@${LABEL}(?:\.${LABEL})*\.\p{L}[\p{L}\p{M}\p{N}\-]+`,
      'gu',
    ),
    score: 1,
  },
  {
    pattern: 'address with a word for its sign',
    expression: new RegExp(
      String.raw`(?<!${LOCAL})${WORDY_LOCAL} (?:at|\(at\)|\[at\]) (?:${LABEL}\.)+\p{L}{2,}`,
      'giu',
    ),
    score: 0.8,
  },
  {
    pattern: 'address within a house',
    expression: new RegExp(
      String.raw`(?<!${LOCAL})\p{L}+(?:[._]\p{L}+)+@\p{L}[\p{L}\p{M}\p{N}\-]+(?![\p{L}\p{M}\p{N}\-]|\.\p{L})`,
      'gu',
    ),
    score: 0.7,
  },
];

export const EMAIL: Recogniser = {
  name: 'EmailRecognizer',
  type: 'EMAIL_ADDRESS',
  context: ['email', 'e-mail', 'mail', 'correo'],
  find: (text) => matchesOf(text, SHAPES),
};
