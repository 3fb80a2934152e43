import { describe, expect, test } from '@jest/globals';
import { parseBiocJson } from '../../../../../models/text/corpus/bioc-json.js';
import { checkedDocument } from '../../../../../models/text/corpus/raw-document.js';
import { changed } from './layered-files.js';

const written = (passages: readonly object[], instead?: string): string =>
  changed('bioc-json', JSON.stringify({ documents: [{ id: 'd', passages }] }), instead).format();
const passagesOf = (file: string) => JSON.parse(file).documents[0].passages;
/** What Tacet itself reads in it. */
const marked = (file: string) => {
  const [read] = [...parseBiocJson(file, 'notes', 'notes')].map((each) => checkedDocument(each()));
  return read?.spans.map(({ start, end }) => read.text.slice(start, end));
};
const annotated = (id: string, type: string, text: string, offset: number) => ({
  ...{ id, infons: { type }, text, locations: [{ offset, length: text.length }] },
});

describe('sentences of which some are empty', () => {
  const sentences = [
    { offset: 0, text: '' },
    { offset: 0, text: 'Ann Lee came.' },
    { offset: 14, text: null },
    { offset: 14, text: 'He saw Bob.' },
  ];

  test.each([undefined, '[N]'])('have what was found beside its own text (%s)', (instead) => {
    const file = written([{ offset: 0, sentences }], instead);
    const [first, second, third, fourth] = passagesOf(file)[0].sentences;
    expect([first, third].map(({ annotations }) => annotations)).toEqual([undefined, undefined]);
    expect(second.annotations).toMatchObject([{ text: instead ?? 'Ann Lee' }]);
    expect(fourth.annotations).toMatchObject([{ text: instead ?? 'Bob' }]);
    expect(marked(file)).toEqual([instead ?? 'Ann Lee', instead ?? 'Bob']);
  });
});

describe('an entity that goes on in another passage', () => {
  test('has a location in each where the text stays', () => {
    const file = written([
      { offset: 0, text: 'Seen: Ann ' },
      { offset: 10, text: 'Lee by Bob.' },
    ]);
    const [first, second] = passagesOf(file);
    expect(first.annotations).toMatchObject([
      {
        locations: [
          { offset: 6, length: 4 },
          { offset: 10, length: 3 },
        ],
      },
    ]);
    expect(second.annotations).toMatchObject([{ text: 'Bob' }]);
    expect(marked(file)).toEqual(['Ann Lee', 'Bob']);
  });

  test('is replaced as a whole in the first, and another may have nothing left', () => {
    const file = written(
      [
        { offset: 0, text: 'Ann ' },
        { offset: 4, text: 'Lee' },
        { offset: 8, text: 'saw Bob.' },
      ],
      '[NAME]',
    );
    expect(passagesOf(file)).toMatchObject([
      { offset: 0, text: '[NAME]', annotations: [{ locations: [{ offset: 0, length: 6 }] }] },
      { offset: 6, text: '' },
      { offset: 7, text: 'saw [NAME].', annotations: [{ locations: [{ offset: 11, length: 6 }] }] },
    ]);
    expect(passagesOf(file)[1].annotations).toBeUndefined();
    expect(marked(file)).toEqual(['[NAME]', '[NAME]']);
  });

  test('takes annotations of what the other loses along, none empty', () => {
    const annotations = [annotated('1', 'NAME', 'Lee', 4), annotated('2', 'ACT', 'saw', 8)];
    const [, second] = passagesOf(
      written(
        [
          { offset: 0, text: 'Ann ' },
          { offset: 4, text: 'Lee saw', annotations },
        ],
        '[NAME]',
      ),
    );
    expect(second).toMatchObject({ offset: 6, text: ' saw' });
    expect(second.annotations).toMatchObject([
      { id: '1', text: '[NAME]', locations: [{ offset: 0, length: 6 }] },
      { id: '2', text: 'saw', locations: [{ offset: 7, length: 3 }] },
    ]);
  });
});
