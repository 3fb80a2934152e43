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

describe('notes of several places', () => {
  const [home, away] = [place('home'), place('away')];
  const twin = { ...home, name: 'twin' };
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
});
