import { describe, expect, test } from '@jest/globals';
import { generateNotes } from '../../../../../models/synthetic/generate-notes.js';
import { loadLabelScheme } from '../../../../../models/text/label-scheme.js';
import { sentencesOf } from '../../../../../models/text/labelled-sentence.js';
import { startedAhead } from '../../../../../platform/started-ahead.js';
import { chunksOf } from '../../../../../services/institution/release/notes/note-chunks.js';

describe('chunks of notes', () => {
  test('hold the words and labels of every sentence, each spelling once', async () => {
    const scheme = loadLabelScheme('synthetic');
    const notes = [...generateNotes({ seed: 1, documents: 60 })];
    const expected = notes.flatMap((note, i) => sentencesOf(note, scheme, i));
    const spellings: string[] = [];
    const found: { words: string[]; labels: Uint8Array }[] = [];
    let documents = 0;
    let chunks = 0;
    for await (const chunk of chunksOf(notes, scheme)) {
      expect(chunk.restarts).toBe(chunks === 0);
      chunks++;
      documents += chunk.documents.length;
      spellings.push(...chunk.spellings);
      let at = 0;
      for (const length of chunk.lengths) {
        const place = [at, at + length] as const;
        found.push({
          words: Array.from(chunk.words.slice(...place), (word) => spellings[word] as string),
          labels: chunk.labels.slice(...place),
        });
        at += length;
      }
    }
    expect(chunks).toBeGreaterThan(1);
    expect(documents).toBe(notes.length);
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(found).toEqual(
      expected.map(({ tokens, labels }) => ({
        words: tokens.map(({ text }) => text),
        labels,
      })),
    );
  });

  test('number spellings afresh when there are too many of them', async () => {
    const scheme = loadLabelScheme('synthetic');
    const numerals = (from: number) =>
      Array.from({ length: 9000 }, (_, i) => `${from + i}`).join(' , ');
    const notes = Array.from({ length: 12 }, (_, i) => {
      return { id: `${i}`, text: numerals(9000 * i), spans: [] };
    });
    let restarts = 0;
    let spellings: string[] = [];
    const words: string[] = [];
    for await (const chunk of chunksOf(notes, scheme)) {
      if (chunk.restarts) {
        restarts++;
        spellings = [];
      }
      spellings.push(...chunk.spellings);
      for (const word of chunk.words) words.push(spellings[word] as string);
    }
    expect(restarts).toBeGreaterThan(1);
    expect(words.filter((word) => word !== ',')).toEqual(
      Array.from({ length: 12 * 9000 }, (_, i) => `${i}`),
    );
  });
});

describe('work that is started ahead', () => {
  test('is one step further than what is used, and comes in order', async () => {
    const started: number[] = [];
    const work = async (item: number) => {
      started.push(item);
      return 10 * item;
    };
    const used: number[] = [];
    for await (const result of startedAhead([1, 2, 3], work)) {
      used.push(result);
      expect(started).toHaveLength(Math.min(used.length + 1, 3));
    }
    expect(used).toEqual([10, 20, 30]);
  });

  test('fails in its turn, and alone', async () => {
    const work = async (item: number) => {
      if (item > 1) throw new Error(`item ${item}`);
      return item;
    };
    const used: number[] = [];
    const use = async () => {
      for await (const result of startedAhead([1, 2, 3], work)) used.push(result);
    };
    await expect(use()).rejects.toThrow('item 2');
    expect(used).toEqual([1]);
  });
});
