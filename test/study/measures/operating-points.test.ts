import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { type Tagger, tag } from '../../../models/networks/tagger.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import type { Document, Span } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import type { Token } from '../../../models/text/token.js';
import { tokenise } from '../../../models/text/tokeniser.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { operatingPoints } from '../../../study/measures/operating-points.js';

const WORDS = ['ana', 'saw', 'berta', 'today'];
const DIMENSION = 3;
const scheme = loadLabelScheme('phi-binary');
let tagger: Tagger;

beforeAll(async () => {
  await useBackend();
  const embeddings = embeddingsFromRows(WORDS, new Random(1).normals(WORDS.length * DIMENSION));
  const { deidentifier: sizes } = trainingConfig({ deidentifier: { units: 4, layers: 1 } });
  const labels = scheme.labels.length;
  const config = { ...sizes, inputDimension: DIMENSION, labels, casing: false };
  const deidentifier = Deidentifier.create(config, new Random(1));
  tagger = { deidentifier, vocabulary: new Vocabulary(embeddings), scheme };
});
afterAll(() => tagger.deidentifier.dispose());

test('recall on a few documents, of which there is no interval, may be anything', async () => {
  const spans = [{ type: 'PHI', start: 0, end: 3 }];
  const note = (id: string) => ({ id, text: WORDS.join(' '), spans });
  const intervalsOf = async (ids: string[]) => {
    const { points } = await operatingPoints(tagger, ids.map(note), [0.01], {});
    return points.map((point) => point?.recall);
  };
  const ids = Array.from({ length: 10 }, (_, i) => `${i}`);
  expect(await intervalsOf(ids.slice(1))).toEqual([{ value: 1, interval: [0, 1] }]);
  expect(await intervalsOf(ids)).toEqual([{ value: 1, interval: [1, 1] }]);
});

test('a point is what tagging finds from its threshold on, where documents state sentences too', async () => {
  const text = 'ana saw berta today berta saw ana today';
  const words = tokenise(text);
  const spans = words
    .filter(({ text: word }) => word === 'ana' || word === 'berta')
    .map(({ start, end }) => ({ type: 'PHI', start, end }));
  const document = { id: 'a', text, spans, sentences: words.map(({ start }) => start) };
  const meets = (found: readonly Span[]) => (word: Token) =>
    found.some(({ start, end }) => start < word.end && word.start < end);
  const pointOf = async (one: Document) => {
    const { points } = await operatingPoints(tagger, [one], [0.01], {});
    const { threshold, precision } = points[0] ?? { threshold: 2, precision: 0 };
    const marked = words.filter(meets(tag(text, tagger, { ...one, threshold })));
    expect(precision).toBe(marked.filter(meets(spans)).length / marked.length);
    return threshold;
  };
  const whole = await pointOf({ ...document, sentences: undefined });
  expect(await pointOf(document)).not.toBe(whole);
});
