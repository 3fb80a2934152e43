import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findCandidates } from '../../../../../models/embeddings/candidates.js';
import { Vocabulary } from '../../../../../models/embeddings/vocabulary.js';
import { Representation } from '../../../../../models/networks/representation.js';
import { meanOf } from '../../../../../models/statistics/mean-of.js';
import { Random } from '../../../../../models/tensor/random.js';
import {
  type LabelledSentence,
  sentencesOf,
} from '../../../../../models/text/labelled-sentence.js';
import type { EncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import {
  certify,
  type EntityCharge,
} from '../../../../../services/institution/release/limits/certify.js';
import { accuracyBound, TWINS } from '../../../../../services/institution/release/limits/charge.js';
import {
  mentionsOf,
  type Sentence,
  spelling,
} from '../../../../../services/institution/release/sentences/sentence.js';
import { plainMean, plainStddev } from '../../../../models/networks/plain-representation.js';
import { WORDS } from '../../notes.js';
import {
  createPublisher,
  encodingModelOf,
  type Publisher,
  removePublisher,
} from '../../publisher.js';

const NEIGHBOURS = 3;
const mean = (charge: EntityCharge | undefined) => meanOf([...(charge?.squared ?? [])]);
const nameOf = (words: readonly string[]) => words.join(' ');

/** The sentences of one note as the model sees them, their words numbered by `vocabulary`. */
function sentencesOfNote(
  sentences: readonly LabelledSentence[],
  vocabulary: Vocabulary,
): Sentence[] {
  const mentions = mentionsOf(
    sentences.map(({ labels, tokens }) => ({
      labels,
      wordAt: (token: number) => spelling((tokens[token] as (typeof tokens)[number]).text),
    })),
  );
  return sentences.map(({ tokens, labels }, i) => {
    const rows = Int32Array.from(tokens, ({ text }) => vocabulary.idOf(text));
    return { rows, labels, mentions: mentions[i] ?? [] };
  });
}

describe('certifying', () => {
  let publisher: Publisher;
  let model: EncodingModel;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    model = await encodingModelOf(publisher);
  });
  afterAll(() => removePublisher(publisher));

  const note = (text: string, ...names: string[]) => {
    const spans = names.map((name) => {
      const start = text.indexOf(name);
      return { type: 'PHI', start, end: start + name.length };
    });
    return { id: 'note', text, spans };
  };
  const certified = async (
    notes: ReturnType<typeof note>[],
    twins = TWINS,
    neighbours = NEIGHBOURS,
  ) => {
    const sentences = notes.flatMap((each, i) =>
      sentencesOfNote(sentencesOf(each, model.scheme, i), model.vocabulary),
    );
    const random = new Random(7);
    return {
      sentences,
      ...(await certify(sentences, model, { neighbours, twins, nameOf, keyOf: String, random })),
    };
  };

  test('charges an entity what plain loops over all its twins and fresh noise give', async () => {
    const { sentences, charges } = await certified(
      [note('alpha beta gamma delta.', 'beta gamma')],
      3000,
    );
    const [rows] = sentences.map((sentence) => sentence.rows);
    if (!rows) throw new Error('no sentence');
    const candidates = await findCandidates(model.vocabulary, rows, NEIGHBOURS);
    const weights = model.representation.parameters.toArrays();
    const [input, output] = [
      plainStddev(weights, 'noise/input'),
      plainStddev(weights, 'noise/output'),
    ];
    const E = model.vocabulary.dimension;
    const { vocabulary } = model;
    const I = model.representation.inputDimension;
    const inputOf = (id: number) => (k: number) =>
      k >= E ? Number(vocabulary.casing(id) === k - E) : wordOf(id)(k);
    const wordOf = (id: number) => (k: number) =>
      vocabulary.trained(id) > 0
        ? (weights.trained?.data[(vocabulary.trained(id) - 1) * E + k] as number)
        : (vocabulary.vectors()[id * E + k] as number);
    const embed = (ids: Iterable<number>, noise: Float32Array) =>
      Array.from(ids, (id, t) =>
        input.map((stddev, k) => inputOf(id)(k) + stddev * (noise[t * I + k] as number)),
      );
    const random = new Random(99);
    let sum = 0;
    let count = 0;
    for (let round = 0; round < 100; round++) {
      for (const second of candidates.of(rows[1] as number)) {
        for (const third of candidates.of(rows[2] as number)) {
          const noise = random.normals(rows.length * I);
          const twin = [rows[0] as number, second, third, ...rows.subarray(3)];
          const [a, b] = [rows, twin].map((ids) => plainMean(weights, embed(ids, noise)));
          a?.forEach((vector, t) => {
            vector.forEach((value, k) => {
              sum += ((value - (b?.[t]?.[k] as number)) / (output[k] as number)) ** 2;
            });
          });
          count++;
        }
      }
    }
    const [charge] = charges[0] ?? [];
    if (!charge) throw new Error('no charge');
    const expected = sum / count;
    expect(expected).toBeGreaterThan(0.1);
    expect(Math.abs(mean(charge) - expected)).toBeLessThan(0.06 * expected);
    expect(accuracyBound(charge)).toBeGreaterThan(0.5);
  });

  test('moves an entity at all its places in a sentence, in one way', async () => {
    const [once, twice] = await Promise.all([
      certified([note('alpha beta gamma delta epsilon.', 'beta')], 200),
      certified([note('alpha beta gamma BETA epsilon.', 'beta', 'BETA')], 200),
    ]);
    expect(twice.charges[0]).toHaveLength(1);
    const means = [once, twice].map(({ charges }) => mean(charges[0]?.[0]));
    expect(means[1]).toBeGreaterThan(means[0] as number);
  });

  test('charges nothing where nothing can move, and counts those tokens', async () => {
    const { charges, immovable, immovableEntities } = await certified([
      note('alpha unheard of gamma.', 'unheard of'),
    ]);
    expect(charges[0]?.map(mean)).toEqual([0]);
    expect(accuracyBound(charges[0]?.[0] as EntityCharge)).toBe(0.5);
    expect(immovable).toBe(2);
    expect([...immovableEntities]).toEqual(charges[0].map(({ entity }) => entity));
  });

  test('charges nothing where the only candidate is the word itself', async () => {
    const { charges } = await certified([note('alpha beta.', 'beta')], TWINS, 1);
    expect(mean(charges[0]?.[0])).toBe(0);
  });

  test('names twins without a vector by their spelling where a model tells them by it', async () => {
    const shape = { embeddingDimension: model.vocabulary.dimension, units: 3, dimension: 2 };
    const noise = { initialInputStddev: 0.1, initialOutputStddev: 0.1 };
    const characters = { characters: 'cnn', characterDimension: 2, characterUnits: 2 } as const;
    const representation = Representation.create(
      { ...shape, ...noise, ...characters },
      new Random(1),
    );
    const vocabulary = new Vocabulary(model.vocabulary.embeddings, { characters: true });
    const own = note('alpha 7 beta xyzuk.', '7', 'xyzuk');
    const sentences = sentencesOfNote(sentencesOf(own, model.scheme, 0), vocabulary);
    const options = { neighbours: 20, nameOf, keyOf: String, random: new Random(7) };
    const { moves } = await certify(sentences, { representation, vocabulary }, options);
    const [numbers, words] = ['7', 'xyzuk'].map((name) => moves.get(name)?.get(name) ?? []);
    expect(numbers.filter((name) => !/^\d+$/.test(name))).toEqual([]);
    expect(words.filter((name) => !/^[a-z]+$/.test(name))).toEqual([]);
    expect(new Set(numbers).size).toBeGreaterThan(10);
    representation.dispose();
  });

  test('knows each entity by its words and leaves what is no PHI alone', async () => {
    const { charges } = await certified([
      note('alpha beta. gamma delta.', 'beta', 'gamma'),
      note('epsilon zeta.'),
    ]);
    expect(charges.map((entities) => entities.map(({ entity }) => entity))).toEqual([
      ['beta', 'gamma'],
      [],
    ]);
  });
});
