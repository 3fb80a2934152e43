import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Representation } from '../../../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../../../models/networks/representation-config.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { TRAINING_DEFAULTS } from '../../../models/training/configuration/config.js';
import type { PartlyReadExample } from '../../../models/training/data/examples.js';
import { examplesOfEpoch } from '../../../models/training/data/turns.js';
import { type OwnNotes, prepareOwnText } from '../../../services/workflows/train/own-text.js';
import { DIMENSION, toyVocabulary } from '../../models/training/toy-notes.js';

const scheme = loadLabelScheme('synthetic');
const notes = [...generateNotes({ seed: 1, documents: 12 })];
const d = 4;
const own = { source: 'notes', documents: notes, isLearned: false };
const learned = {
  source: 'public',
  documents: [...generateNotes({ seed: 2, documents: 12 })],
  isLearned: true,
};

describe('text of one’s own', () => {
  let representation: Representation;
  const vocabulary = toyVocabulary();
  beforeAll(async () => {
    await useBackend();
    const sizes = { embeddingDimension: DIMENSION, units: 6, dimension: d };
    const config = { ...REPRESENTATION_DEFAULTS, ...sizes };
    representation = Representation.create(config, new Random(1));
  });
  afterAll(() => representation.dispose());

  const prepared = (replaced: number, drawn: number, text: readonly OwnNotes[] = [own]) =>
    prepareOwnText(
      text,
      { representation, vocabulary, scheme, language: 'en' },
      {
        validationShare: 0.25,
        augmentation: { ...TRAINING_DEFAULTS.augmentation, replaced, drawn },
      },
      new Random(3),
      { signal: new AbortController().signal, progress: () => {} },
    );
  const entitiesIn = (examples: readonly PartlyReadExample[]) =>
    examples.reduce((sum, { labels }) => sum + labels.filter((label) => label % 2 === 1).length, 0);

  test('is read as it is where nothing else is asked for', async () => {
    const { train, turns, held } = await prepared(0, 0);
    expect(turns).toBeUndefined();
    expect(held).toHaveLength(3);
    for (const { ids, vectors, labels } of train) {
      expect(ids).toHaveLength(labels.length);
      expect(vectors).toHaveLength(labels.length * d);
    }
  });

  test('has copies with other entities, of which each epoch has its own', async () => {
    const { train: originals } = await prepared(0, 0);
    const { train, turns, validation } = await prepared(1, 3);
    expect(turns?.originals).toEqual(originals);
    expect(turns?.copies).toHaveLength(3);
    expect(train).toHaveLength(originals.length + (turns?.copies.flat().length ?? 0));
    const [first, second] = [1, 2].map((epoch) => examplesOfEpoch({ train, turns }, epoch));
    for (const epoch of [first, second])
      expect(entitiesIn(epoch ?? [])).toBe(2 * entitiesIn(originals));
    expect(first?.slice(originals.length)).not.toEqual(second?.slice(originals.length));
    expect(validation).toEqual((await prepared(0, 0)).validation);
  });

  test('is not learned from where it stands in another source, too', async () => {
    const { train, validation } = await prepared(0, 0, [own, { ...own, source: 'more notes' }]);
    const wordsOf = ({ ids, labels }: PartlyReadExample) => `${ids} ${labels}`;
    const alone = await prepared(0, 0);
    expect(train.map(wordsOf)).toEqual([...alone.train, ...alone.train].map(wordsOf));
    expect(validation.map(wordsOf)).toEqual(
      [...alone.validation, ...alone.validation].map(wordsOf),
    );
  });

  const byWords = ({ vectors }: PartlyReadExample) => vectors.every((value) => value === 0);

  test('is read by its words alone where the representation learned from it, copies too', async () => {
    const { turns, validation } = await prepared(1, 2, [own, learned]);
    const { train: others } = await prepared(0, 0);
    expect(turns?.originals.findIndex(byWords)).toBe(others.length);
    for (const part of [turns?.originals ?? [], ...(turns?.copies ?? [])]) {
      expect(part.slice(part.findIndex(byWords)).every(byWords)).toBe(true);
      for (const { ids, labels, vectors } of part) {
        expect(ids).toHaveLength(labels.length);
        expect(vectors).toHaveLength(labels.length * d);
      }
    }
    expect(validation.some(byWords)).toBe(false);
  });

  test('has vectors in half of its sentences where there is no other', async () => {
    const { train } = await prepared(0, 0, [learned]);
    const share = train.filter(byWords).length / train.length;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.7);
  });

  test('is the same again, copies too, where a run goes on', async () => {
    expect(await prepared(1, 1)).toEqual(await prepared(1, 1));
    expect(await prepared(1, 1, [learned])).toEqual(await prepared(1, 1, [learned]));
    expect((await prepared(1, 1)).turns).toBeUndefined();
  });
});
