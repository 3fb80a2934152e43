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

  test('stay in the house where a reader finds them as one with a labelled name beside them', async () => {
    const text = 'Seen by Ana Zuaer today.';
    const spanOf = (word: string) => {
      const start = text.indexOf(word);
      return { type: 'PATIENT', start, end: start + word.length };
    };
    const spans = [spanOf('Ana'), spanOf('Zuaer')];
    const notes = Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, text, spans }));
    const between = async (filled: string): Promise<Span[]> => [
      { type: 'DATE', start: filled.indexOf('by ') + 3, end: filled.indexOf(' today') },
    ];
    const [found] = await missedNames(notes, SCHEME, between, OPTIONS);
    expect(found?.missed).toBeGreaterThan(5);
    expect([found?.leaves.replace.value, found?.leaves.withhold.value]).toEqual([0, 0]);
    expect(found?.wrongTokens).toBe(0);
    const [whole] = await missedNames(NOTES, SCHEME, all, OPTIONS);
    expect(whole?.leaves.withhold.value).toBe(0);
  });

  test('are looked for in the sentences that the notes state, and withheld with these', async () => {
    const text = 'Seen by Ana Zuaer today.';
    const words = Array.from(text.matchAll(/\S+/g), ({ index }) => index);
    const spans = [{ type: 'PATIENT', start: 8, end: 17 }];
    const withheld = async (sentences?: readonly number[]) => {
      const note = { id: 'a', text, spans, sentences };
      const read: (readonly number[] | undefined)[] = [];
      const find = async (_: string, stated?: readonly number[]): Promise<Span[]> => {
        read.push(stated);
        return [{ type: 'DATE', start: 8, end: 17 }];
      };
      const [found] = await missedNames([note], SCHEME, find, { shares: [1], seed: 1 });
      expect(read).toEqual([sentences]);
      return found?.withheldSentences;
    };
    expect(await withheld()).toBe(1);
    expect(await withheld(words)).toBe(2 / 5);
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
