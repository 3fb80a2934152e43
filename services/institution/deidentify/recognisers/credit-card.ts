import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

/** Issuers' first digits with the lengths that they give out (ISO/IEC 7812-1). */
const ISSUED: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]|2[2-7])\d{14}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
  /^(?:6\d|35)\d{14}(?:\d{3})?$/,
];

const SHAPES: readonly Shape[] = [
  {
    pattern: 'card number',
    expression: /(?<![\p{L}\p{N}])(?<!\d[ -])[2-6]\d(?:[ -]?\d){10,17}(?![\p{L}\p{N}])(?!-\d)/gu,
    score: 1,
    check: (match) => {
      const digits = match.replace(/\D/g, '');
      return ISSUED.some((issued) => issued.test(digits)) && hasLuhnSum(digits);
    },
  },
];

/** ISO/IEC 7812-1, annex B. */
function hasLuhnSum(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit : 2 * digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export const CREDIT_CARD: Recogniser = {
  name: 'CreditCardRecognizer',
  type: 'CREDIT_CARD',
  context: ['credit', 'card', 'visa', 'mastercard', 'amex', 'tarjeta'],
  find: (text) => matchesOf(text, SHAPES),
};
