import { describe, expect, test } from '@jest/globals';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import type { Span } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { missedNames } from '../../../study/measures/missed-names.js';

const SCHEME = loadLabelScheme('synthetic');
const NOTES = [...generateNotes({ seed: 3, documents: 12 })];
const OPTIONS = { shares: [0.3], seed: 1 };

const all = async (text: string): Promise<Span[]> => [{ type: 'DATE', start: 0, end: text.length }];

describe('missed names', () => {
  test('leave where nobody reads the notes again', async () => {
    const [found] = await missedNames(NOTES, SCHEME, async () => [], OPTIONS);
    expect(found?.missed).toBeGreaterThan(10);
    expect(found?.leaves.replace.value).toBe(1);
    expect(found?.leaves.withhold.value).toBe(1);
    expect([found?.withheldSentences, found?.wrongTokens]).toEqual([0, 0]);
  });

  test('stay in the house where a reader finds every word between the labels', async () => {
    const words = async (text: string): Promise<Span[]> =>
      Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+|[^\s]/gu), ({ index, 0: word }) => ({
        type: 'DATE',
        start: index,
        end: index + word.length,
      }));
    const [found] = await missedNames(NOTES, SCHEME, words, OPTIONS);
    expect(found?.leaves.replace.value).toBe(0);
    expect(found?.leaves.withhold.value).toBe(0);
    expect(found?.withheldSentences).toBeGreaterThan(0.5);
    expect(found?.wrongTokens).toBeGreaterThan(0.3);
  });

  test('are not hidden by a finding that a label overlaps', async () => {
    const [found] = await missedNames(NOTES, SCHEME, all, OPTIONS);
    expect(found?.leaves.replace.value).toBe(1);
  });

  test('are counted once where they cross the border of a sentence, and leave where a part does', async () => {
    const text = 'Seen by Ann.\n\nLee today.';
    const spans = [{ type: 'PATIENT', start: text.indexOf('Ann'), end: text.indexOf(' today') }];
    const reader = (found: string) => async (): Promise<Span[]> =>
      Array.from(text.matchAll(/\w+|\./g)).flatMap(({ index, 0: word }) =>
        found.includes(word) ? [{ type: 'DATE', start: index, end: index + word.length }] : [],
      );
    const leaves = async (found: string) => {
      const options = { shares: [1], seed: 1 };
      const [all] = await missedNames([{ id: 'a', text, spans }], SCHEME, reader(found), options);
      expect([all?.missed, all?.byType.PATIENT?.missed]).toEqual([1, 1]);
      return [all?.leaves.replace.value, all?.leaves.withhold.value];
    };
    expect(await leaves('Lee')).toEqual([1, 1]);
    expect(await leaves('Ann Lee')).toEqual([1, 0]);
    expect(await leaves('Ann . Lee')).toEqual([0, 0]);
  });

  test('are the same ones for the same seed', async () => {
    const [one, other] = await Promise.all(
      [1, 1].map((seed) => missedNames(NOTES, SCHEME, async () => [], { ...OPTIONS, seed })),
    );
    expect(one).toEqual(other);
  });
});
