import { beforeAll, describe, expect, test } from '@jest/globals';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { scoped } from '../../../models/tensor/scoped.js';
import * as tf from '../../../models/tensor/tf.js';
import { CASINGS } from '../../../models/text/casing.js';
import type { PartlyReadExample, TextExample } from '../../../models/training/data/examples.js';
import { inMemory, trainOnBoth } from '../../../models/training/supervised.js';
import { LABELS, toyExamples, toyVocabulary } from './toy-notes.js';
import { TOY_CONFIG } from './toy-training.js';

beforeAll(() => useBackend());

const D = LABELS;
const CONFIG = {
  ...TOY_CONFIG,
  learner: { ...TOY_CONFIG.learner, learningRate: 0.02 },
  supervised: { maxEpochs: 30, patience: 30 },
};

/** Vectors that tell the label of each token, as releases should. */
const released = ({ labels }: TextExample): PartlyReadExample => {
  const vectors = new Float32Array(labels.length * D);
  labels.forEach((label, t) => {
    vectors[t * D + label] = 1;
  });
  return { vectors, labels };
};

/** Vectors that tell nothing, beside the words. */
const own = ({ ids, labels }: TextExample): PartlyReadExample => ({
  vectors: new Float32Array(labels.length * D),
  labels,
  ids,
});

describe('a de-identifier of releases and of text of one’s own', () => {
  test.each(['cnn', 'bilstm'] as const)(
    'that reads characters by a %s learns from batches without a known word, too',
    async (characters) => {
      const vocabulary = new Vocabulary(toyVocabulary().embeddings, { characters: true });
      const examples = toyExamples(vocabulary, 40, 1).map((each, i) =>
        i < 20 ? released(each) : own(each),
      );
      const parts = { train: examples, validation: examples.slice(0, 20) };
      const alone = inMemory<PartlyReadExample>(parts, 1);
      const config = {
        ...CONFIG,
        deidentifier: { ...CONFIG.deidentifier, characters },
        supervised: { maxEpochs: 1, patience: 1 },
      };
      const context = { random: new Random(1) };
      const trained = await trainOnBoth(alone, vocabulary, D, LABELS, config, context);
      expect(trained.stage.epochs).toBe(1);
      trained.deidentifier.dispose();
    },
  );

  test('reads the vectors, and beside them words and casing, zeros where no word is known', () => {
    const vocabulary = toyVocabulary();
    const id = vocabulary.idOf('BERTA');
    const { dimension: wordDimension } = vocabulary;
    const config = { ...CONFIG.deidentifier, inputDimension: D, labels: LABELS, wordDimension };
    const reader = Deidentifier.create(config, new Random(1));
    const kernel = reader.parameters.toArrays()['bilstm-0/forward/kernel'];
    expect(kernel?.shape[0]).toBe(D + wordDimension + CASINGS.length);
    scoped(() => {
      const releases = tf.ones([1, 2, D]) as tf.Tensor3D;
      const inputs = [...reader.beside(releases, vocabulary, Int32Array.of(id, -1)).dataSync()];
      const [known, unknown] = [
        inputs.slice(0, inputs.length / 2),
        inputs.slice(inputs.length / 2),
      ];
      expect(known.slice(0, D)).toEqual(new Array(D).fill(1));
      expect(known.slice(D).some((value) => value !== 0)).toBe(true);
      expect(unknown.slice(0, D)).toEqual(new Array(D).fill(1));
      expect(unknown.slice(D).every((value) => value === 0)).toBe(true);
    });
  });

  test('learns from either', async () => {
    const vocabulary = toyVocabulary();
    const notes = (count: number, seed: number) => {
      const examples = toyExamples(vocabulary, count, seed);
      return examples.map((example, i) => (i % 2 === 0 ? own(example) : released(example)));
    };
    const held = notes(40, 2);
    const { deidentifier } = await trainOnBoth(
      inMemory({ train: notes(80, 1), validation: held }, CONFIG.batchSentences),
      vocabulary,
      D,
      LABELS,
      CONFIG,
      { random: new Random(1) },
    );
    const rightOf = (examples: readonly PartlyReadExample[]) => {
      let [right, all] = [0, 0];
      for (const { vectors, labels, ids = new Int32Array(labels.length).fill(-1) } of examples) {
        const found = scoped(() => {
          const releases = tf.tensor3d(vectors, [1, labels.length, D]);
          const inputs = deidentifier.beside(releases, vocabulary, ids);
          const lengths = Int32Array.of(labels.length);
          return deidentifier.decode(deidentifier.emissions(inputs, lengths), lengths);
        });
        labels.forEach((label, t) => {
          all += 1;
          right += Number(found[t] === label);
        });
      }
      return right / all;
    };
    expect(rightOf(held.filter(({ ids }) => ids))).toBeGreaterThan(0.9);
    expect(rightOf(held.filter(({ ids }) => !ids))).toBeGreaterThan(0.9);
  });
});
