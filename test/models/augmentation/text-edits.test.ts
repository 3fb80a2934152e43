import { expect, test } from '@jest/globals';
import { edited } from '../../../models/augmentation/text-edits.js';
import type { Document } from '../../../models/text/document.js';

const document = {
  id: 'a',
  text: 'Seen by Ana today. He saw Juan.',
  spans: [
    { type: 'NAME', start: 8, end: 11 },
    { type: 'NAME', start: 26, end: 30 },
  ],
  sentences: [0, 19],
};

const textsOf = ({ text, spans }: Document) =>
  spans.map(({ start, end }) => text.slice(start, end));

test('spans and sentences stay with their text where words are longer, shorter, or new', () => {
  const other = edited(document, [
    { start: 0, end: 4, text: 'Observed' },
    { start: 12, end: 12, text: 'only ' },
    { start: 19, end: 21, text: 'She' },
    { start: 22, end: 25, text: 'met' },
  ]);
  expect(other.text).toBe('Observed by Ana only today. She met Juan.');
  expect(textsOf(other)).toEqual(['Ana', 'Juan']);
  expect(other.sentences?.map((start) => other.text.slice(start, start + 3))).toEqual([
    'Obs',
    'She',
  ]);
});

test('a word that is put before a sentence is of that sentence, one right after a span is not of it', () => {
  const other = edited(document, [
    { start: 11, end: 11, text: ' then' },
    { start: 19, end: 19, text: 'Later ' },
  ]);
  expect(textsOf(other)).toEqual(['Ana', 'Juan']);
  expect(other.text.slice(other.sentences?.[1])).toBe('Later He saw Juan.');
});
