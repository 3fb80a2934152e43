import { describe, expect, test } from '@jest/globals';
import { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import { partSites } from '../../../study/runs/sites.js';

/** Notes that share no words, so that none is a near copy of another. */
const notes = (name: string, count: number): Document[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${name}-${i}`,
    text: `${name}${i}a ${name}${i}b ${name}${i}c`,
    spans: [],
  }));
const place = (name: string) => ({ name, documents: notes(name, 8) });

/** Rulings on cases from a number on, two of which are nearly the same where the case is. */
const rulings = (name: string, count: number, first = 0, end = name) => ({
  name,
  documents: Array.from({ length: count }, (_, i): Document => {
    const paragraphs = Array.from(
      { length: 8 },
      (_, k) =>
        `In case ${first + i} the court found in paragraph ${k} that the proceedings before the courts had been too long.`,
    );
    return { id: `${i}`, text: [...paragraphs, `So held in ${end}.`].join('\n'), spans: [] };
  }),
});
const caseOf = ({ text }: Document) => /case (\d+)/.exec(text)?.[1] ?? '';

describe('notes of several places', () => {
  const [home, away] = [place('home'), place('away')];
  const twin = { name: 'twin', documents: notes('home', 8) };
  const parted = (more: Partial<Parameters<typeof partSites>[0]>) =>
    partSites(
      { sites: [home, away], unseen: [], heldOut: [], heldOutShare: 0.25, ...more },
      new Random(1),
    );

  test('are measured on a share of each that nobody learns from, and on all of an unseen one', () => {
    const { learned, measured } = parted({ unseen: [place('far')] });
    expect(learned.map(({ documents }) => documents.length)).toEqual([6, 6]);
    expect(measured.map(({ documents }) => documents.length)).toEqual([2, 2, 8]);
  });

  test.each([
    ['away', 'another place learns from', { heldOut: [{ ...away, documents: notes('home', 8) }] }],
    ['home', 'the provider has', { provider: home, sites: [away], unseen: [home] }],
    ['home', 'it learns from itself', { heldOut: [home] }],
    ['home', 'another place of the same notes learns from', { sites: [home, twin] }],
    ['twin', 'was drawn and the provider has', { provider: home, sites: [twin] }],
  ])('are refused where %s is measured on a document that %s', (name, _, more) => {
    expect(() => parted(more)).toThrow(
      `the documents of ${name} that are measured on are among those of training`,
    );
  });

  test('that are nearly the same are learned from in all of these, or measured on', () => {
    const sites = [rulings('here', 12), rulings('there', 12)];
    const { learned, measured } = parted({ sites });
    const seen = new Set(learned.flatMap(({ documents }) => documents.map(caseOf)));
    const held = measured.flatMap(({ documents }) => documents.map(caseOf));
    expect(held).toHaveLength(6);
    expect(held.filter((each) => seen.has(each))).toEqual([]);
  });

  test('are others where their ids alone are the same', () => {
    const sites = [rulings('here', 12), rulings('there', 12, 100)];
    const [here, there] = parted({ sites }).measured.map(({ documents }) =>
      documents.map(({ id }) => id),
    );
    expect(there).not.toEqual(here);
  });

  test('are refused where none of a place is left to measure on', () => {
    const sites = [rulings('here', 40), rulings('there', 2)];
    const few = { sites, heldOutShare: 0.05 };
    expect(() => parted(few)).toThrow('notes of there: none is left to measure on');
  });

  test.each([
    ['far', 'nobody trains on', '\\d+(, \\d+){8}', { unseen: [rulings('far', 12)] }],
    ['here', 'was given to be measured on', '1', { heldOut: [rulings('here', 2, 11, 'Bern')] }],
    ['here', 'was drawn', '\\d+, \\d+, \\d+', { provider: rulings('public', 12) }],
  ])(
    'are refused where one of %s that %s is nearly the same as another that is learned from, by its number',
    (name, _, numbers, more) => {
      expect(() => parted({ sites: [rulings('here', 12)], ...more })).toThrow(
        new RegExp(`documents of ${name} .* in the order read they are number ${numbers}$`),
      );
    },
  );
});
