import { describe, expect, test } from '@jest/globals';
import { type Background, backgroundOf } from '../../../../models/attacks/updates/background.js';
import { charactersRead } from '../../../../models/attacks/updates/characters-read.js';
import { descentOf } from '../../../../models/attacks/updates/descent.js';
import { MatchedFilter } from '../../../../models/attacks/updates/matched-filter.js';
import { spannedWords } from '../../../../models/attacks/updates/spanned-words.js';
import { evidenceOf, textMembership } from '../../../../models/attacks/updates/text-membership.js';
import { toldWords } from '../../../../models/attacks/updates/told-words.js';
import { wordPairs } from '../../../../models/attacks/updates/word-pairs.js';
import { WordSpan } from '../../../../models/attacks/updates/word-span.js';
import { Candidates } from '../../../../models/embeddings/candidates.js';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { changesOf } from '../../../../models/federation/averaging.js';
import { LocalTraining } from '../../../../models/federation/local-training.js';
import { privateEpoch } from '../../../../models/federation/private-training.js';
import { selectChanges } from '../../../../models/federation/selective-sgd.js';
import { sentOf, type WeightUpdate } from '../../../../models/federation/weight-update.js';
import { FESTAG_DEFAULTS, FestagTagger } from '../../../../models/networks/festag-tagger.js';
import type { LabelledText } from '../../../../models/networks/text-network.js';
import { Random } from '../../../../models/tensor/random.js';
import { tokenise } from '../../../../models/text/tokeniser.js';

const DIMENSION = 16;
const WORDS = [
  ...['berta', 'carla', 'david', 'emil', 'frida', 'gustav', 'hanna', 'ida'],
  ...['patient', 'seen', 'fever', 'pain', 'cough', 'liver', 'biopsy', 'tablet', 'kidney', 'acute'],
];
const vectors = new Random(4).normals(WORDS.length * DIMENSION);
const vocabulary = new Vocabulary(embeddingsFromRows(WORDS, vectors));
const sizes = { dimension: DIMENSION, labels: 3, characterUnits: 3, units: 12, hidden: 8 };
const network = new FestagTagger(
  { ...FESTAG_DEFAULTS, ...sizes, dropout: 0 },
  vocabulary,
  new Random(1),
);
const sgd = { optimiser: { kind: 'sgd', learningRate: 0.1 }, loss: 'mean' } as const;

/** No other text had a part in an update. */
function emptyBackground(size: number): Background {
  return { mean: new Float32Array(size), variance: new Float32Array(size).fill(1) };
}

function textOf(line: string, names: readonly string[]): LabelledText {
  const tokens = tokenise(line);
  const labels = Uint8Array.from(tokens, ({ text }) => Number(names.includes(text)));
  return [{ documentIndex: 0, tokens, labels }];
}

const SENTENCE = textOf('patient Berta seen fever', ['Berta']);
const OTHERS = [
  textOf('Emil pain cough liver', ['Emil']),
  textOf('biopsy Gustav tablet pain', ['Gustav']),
];
const id = (word: string) => vocabulary.idOf(word);
const vectorOf = (word: string) => {
  const row = WORDS.indexOf(word);
  return Float32Array.from(vectors.subarray(row * DIMENSION, (row + 1) * DIMENSION));
};

/** What an epoch changes; the network is left with the weights that it began with. */
async function updateOf(texts: readonly LabelledText[]): Promise<WeightUpdate> {
  const training = new LocalTraining(
    network,
    texts.map((text) => network.read(text)),
    sgd,
  );
  const before = training.weights();
  await training.epoch(new Random(2));
  const update = changesOf(before, training.weights());
  training.load(before);
  return update;
}

describe('words from an update', () => {
  test('of one sentence every word is ranked over every other', async () => {
    const span = new WordSpan(network, await updateOf([SENTENCE]), DIMENSION);
    const there = ['patient', 'berta', 'seen', 'fever'].map((word) => span.score(vectorOf(word)));
    const others = WORDS.filter((word) => !['patient', 'berta', 'seen', 'fever'].includes(word));
    const absent = others.map((word) => span.score(vectorOf(word)));
    expect(Math.min(...there)).toBeGreaterThan(Math.max(...absent));
  });

  test('the characters of a sentence are those whose rows changed, and no others', async () => {
    const codes = [...'patientBertaseenfever'].map((each) => each.codePointAt(0) as number);
    expect(charactersRead(network, await updateOf([SENTENCE]))).toEqual(new Set(codes));
  });

  test('the noise of DP-SGD changes the rows of all characters', async () => {
    const training = new LocalTraining(network, [network.read(SENTENCE)], sgd);
    const before = training.weights();
    const noise = new Random(3);
    const privacy = { learningRate: 0.1, samplingRate: 0.5, clipNorm: 1, noiseMultiplier: 1 };
    await privateEpoch(training, privacy, noise);
    const update = changesOf(before, training.weights());
    training.load(before);
    expect(charactersRead(network, update).size).toBe(128);
  });
});

describe('which of two words stood in a text', () => {
  const candidates = new Candidates(
    3,
    new Map(
      ['Berta', 'Emil', 'Gustav'].map((word) => [
        id(word),
        Int32Array.of(id(word), id('Carla'), id('Ida')),
      ]),
    ),
    new Map(),
  );
  const pairs = (text: LabelledText) =>
    wordPairs(text, 0, vocabulary, candidates, 5, new Random(7));

  test('a pair differs in one PHI word, in its casing, under the same labels', () => {
    const [pair] = pairs(SENTENCE);
    const words = pair?.twin[0]?.tokens.map(({ text }) => text) ?? [];
    expect(words[1]).toMatch(/^(Carla|Ida)$/);
    expect(words.toSpliced(1, 1)).toEqual(['patient', 'seen', 'fever']);
    expect(pair?.twin[0]?.labels).toBe(SENTENCE[0]?.labels);
    expect(pairs(SENTENCE)).toHaveLength(1);
  });

  const template = (text: LabelledText) => descentOf(network, text);

  test.each([
    ['of one step on it', []],
    ['of an epoch with other texts', OTHERS],
  ])('is told from the update %s', async (_, others) => {
    const update = await updateOf([SENTENCE, ...others]);
    const background =
      others.length > 0
        ? backgroundOf([(await updateOf(others)).values])
        : emptyBackground(update.values.length);
    for (const { text, twin } of pairs(SENTENCE)) {
      const filter = new MatchedFilter(update, background);
      const [stood, moved] = [template(text), template(twin)];
      expect(filter.likelier(stood, moved)).toBeGreaterThan(0);
      // Whichever is named first.
      expect(filter.likelier(moved, stood)).toBeCloseTo(-filter.likelier(stood, moved), 6);
      expect(filter.evidence(stood)).toBeGreaterThan(filter.evidence(moved));
    }
  });

  test('is told from what selective SGD sends of it', async () => {
    const { values } = await updateOf([SENTENCE]);
    const nothing = new Float32Array(values.length);
    const selection = { downloadShare: 1, uploadShare: 0.3, bound: 10, threshold: 1e-5 };
    const update = selectChanges(nothing, values, selection, new Random(9));
    expect(update.values.length).toBeLessThan(values.length / 2);
    const filter = new MatchedFilter(update, emptyBackground(values.length));
    const [pair] = pairs(SENTENCE);
    expect(filter.likelier(template(SENTENCE), template(pair?.twin ?? []))).toBeGreaterThan(0);
  });
});

describe('attacks on the update of a step', () => {
  const near = new Map([[id('Berta'), Int32Array.of(id('Berta'), id('Emil'), id('Ida'))]]);
  const candidates = new Candidates(2, near, new Map());
  const held = { documentIndex: 3, text: SENTENCE };

  test('take the word that stood there; a filter that sees nothing cannot say', async () => {
    const update = await updateOf([SENTENCE]);
    const { length } = update.values;
    const filters = [update, { values: new Float32Array(length) }].map(
      (seen) => new MatchedFilter(seen, emptyBackground(length)),
    );
    const pairs = wordPairs(SENTENCE, 3, vocabulary, candidates, 5, new Random(7));
    expect(toldWords(filters, pairs, network)).toEqual([{ documentIndex: 3, values: [1, 0.5] }]);
  });

  test('rank a word over its nearest neighbour that no text has, once for all texts', async () => {
    const texts = [held, { documentIndex: 4, text: SENTENCE }];
    const update = await updateOf([SENTENCE]);
    const ranked = spannedWords(network, update, texts, vocabulary, candidates);
    expect(ranked).toEqual([{ documentIndex: 3, value: 1 }]);
    const both = [held, { documentIndex: 4, text: textOf('Emil and Ida', []) }];
    expect(spannedWords(network, update, both, vocabulary, candidates)).toEqual([]);
  });

  test('tell the text from texts of nobody', async () => {
    const update = await updateOf([SENTENCE]);
    const filter = new MatchedFilter(update, emptyBackground(update.values.length));
    const outsiders = OTHERS.map((text, t) => ({ documentIndex: -1 - t, text }));
    const members = evidenceOf(filter, [held], network).map((each) => ({ ...each, real: true }));
    const fakes = evidenceOf(filter, outsiders, network).map((each) => ({ ...each, real: false }));
    expect(textMembership([...members, ...fakes])).toMatchObject({ auc: 1 });
    expect(textMembership(fakes)).toEqual({ auc: 0.5, interval: [0, 1] });
    expect(textMembership(members)).toEqual({ auc: 0.5, interval: [0, 1] });
  });

  test('see of changes of all weights those alone that were sent', () => {
    const changes = Float32Array.of(5, 6, 7);
    const sent = { places: Uint32Array.of(0, 2), values: Float32Array.of(1, 1) };
    expect(sentOf(sent, changes).values).toEqual(Float32Array.of(5, 7));
    expect(sentOf({ values: changes }, changes)).toEqual({ values: changes });
  });
});
