import { describe, expect, test } from '@jest/globals';
import { CASINGS, casingOf } from '../../../models/text/casing.js';

describe('casingOf', () => {
  test.each([
    ['2016', 'numeric'],
    ['٣٤', 'numeric'],
    ['12h', 'mainly numeric'],
    ['12-3', 'mainly numeric'],
    ['años', 'all lower'],
    ['b12', 'mainly numeric'],
    ['ab1', 'all lower'],
    ['º', 'all lower'],
    ['ÑU', 'all upper'],
    ['J', 'all upper'],
    ['AB1', 'all upper'],
    ['Ávila', 'initial upper'],
    ['McX', 'initial upper'],
    ['aB1', 'contains digit'],
    ['-1-', 'contains digit'],
    ['iPhone', 'other'],
    ['.', 'other'],
    ['中', 'other'],
    ['😀', 'other'],
    ['', 'other'],
  ])('of %j is %s', (word, casing) => {
    expect(CASINGS[casingOf(word)]).toBe(casing);
  });
});
