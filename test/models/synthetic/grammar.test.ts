import { describe, expect, test } from '@jest/globals';
import { Chance } from '../../../models/synthetic/chance.js';
import { countSkeletons, expand, pool, slotsOf } from '../../../models/synthetic/grammar.js';
import { INSTITUTIONS } from '../../../models/synthetic/institutions.js';
import { SENTENCES } from '../../../models/synthetic/sentences.js';
import { SLOTS } from '../../../models/synthetic/slots/table.js';

const textOf = (source: string, slots: Record<string, string> = {}) => {
  const [template] = pool(source);
  if (template === undefined) throw new Error('the pool is empty');
  const pieces = expand(
    template,
    (items) => items[0] as (typeof items)[number],
    (slot) => [{ text: slots[slot] ?? `<${slot}>` }],
  );
  return pieces.map(({ text }) => text).join('');
};

describe('sentence skeletons', () => {
  test('slots are filled, with a capital where the skeleton has one', () => {
    expect(textOf('{Name} saw {name}.', { name: 'ana' })).toBe('Ana saw ana.');
  });

  test('one of the alternatives is taken, nested ones too', () => {
    expect(textOf('a [b [c|d]|e] f')).toBe('a b c f');
  });

  test('a bar outside of brackets stands for itself', () => {
    expect(textOf('a | [b|c] | d')).toBe('a | b | d');
  });

  test.each([
    ['a(n) {x}', 'eponym', 'an eponym'],
    ['a(n) {x}', '82', 'an 82'],
    ['a(n) {x}', '18', 'an 18'],
    ['a(n) {x}', '180', 'a 180'],
    ['a(n) {x}', 'university', 'a university'],
    ['A(n) {x}', 'nurse', 'A nurse'],
  ])('the article agrees: %s with %s', (source, x, expected) => {
    expect(textOf(source, { x })).toBe(expected);
  });

  test('every skeleton counts its combinations', () => {
    const [template] = pool('[a|b [c|d]] [e|f]');
    if (template === undefined) throw new Error('the pool is empty');
    expect(countSkeletons(template)).toBe(6);
  });

  test('the notes have more than five hundred skeletons and fill only slots that exist', () => {
    const templates = [
      ...Object.values(SENTENCES).flat(),
      ...INSTITUTIONS.flatMap(({ headers, footers }) => [...headers, ...footers]),
    ];
    const total = templates.reduce((sum, template) => sum + countSkeletons(template), 0);
    expect(total).toBeGreaterThan(500);
    const unknown = templates
      .flatMap(slotsOf)
      .map((slot) => slot.charAt(0).toLowerCase() + slot.slice(1))
      .filter((slot) => !(slot in SLOTS));
    expect(unknown).toEqual([]);
  });
});

describe('chance', () => {
  test('patterns are filled with digits and letters alone', () => {
    const chance = new Chance([1]);
    expect(chance.fill('MO-####-?!')).toMatch(/^MO-\d{4}-[A-Z][2-9]$/);
  });

  test('samples hold no item twice and no more than there are', () => {
    const chance = new Chance([1]);
    expect(chance.sample([1, 2, 3], 5).sort()).toEqual([1, 2, 3]);
  });
});
