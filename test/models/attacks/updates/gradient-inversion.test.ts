import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  INVERSION_DEFAULTS,
  type Inversion,
  invertGradient,
} from '../../../../models/attacks/updates/gradient-inversion.js';
import { GradientMatch } from '../../../../models/attacks/updates/gradient-match.js';
import { WordTable } from '../../../../models/attacks/updates/word-table.js';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { changesOf } from '../../../../models/federation/averaging.js';
import { flatWeights } from '../../../../models/federation/flat-weights.js';
import { LocalTraining } from '../../../../models/federation/local-training.js';
import { privacyFor, privateEpoch } from '../../../../models/federation/private-training.js';
import type { WeightUpdate } from '../../../../models/federation/weight-update.js';
import { DEIDENTIFIER_DEFAULTS } from '../../../../models/networks/deidentifier-config.js';
import { DeidentifierNetwork } from '../../../../models/networks/deidentifier-network.js';
import { FESTAG_DEFAULTS, FestagTagger } from '../../../../models/networks/festag-tagger.js';
import { NEURONER_DEFAULTS, NeuronerTagger } from '../../../../models/networks/neuroner-tagger.js';
import type { LabelledText, TextNetwork } from '../../../../models/networks/text-network.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import * as tf from '../../../../models/tensor/tf.js';
import { tokenise } from '../../../../models/text/tokeniser.js';

const DIMENSION = 16;
const WORDS = [
  ...['berta', 'carla', 'david', 'emil', 'frida', 'gustav', 'hanna', 'ida'],
  ...['patient', 'seen', 'fever', 'pain', 'cough', 'liver', 'biopsy', 'tablet', 'kidney', 'acute'],
];
const vectors = new Random(4).normals(WORDS.length * DIMENSION);
const embeddings = embeddingsFromRows(WORDS, vectors);
const vocabulary = new Vocabulary(embeddings, { characters: true });
const table = new WordTable(embeddings, Int32Array.from(WORDS.keys()));

const sizes = { dimension: DIMENSION, labels: 3, units: 12, hidden: 8, characterUnits: 3 };
const festag = () =>
  new FestagTagger({ ...FESTAG_DEFAULTS, ...sizes, dropout: 0 }, vocabulary, new Random(1));
const neuroner = () =>
  new NeuronerTagger({ ...NEURONER_DEFAULTS, ...sizes, dropout: 0 }, vocabulary, new Random(1));
const deidentifier = () => {
  const own = {
    inputDimension: DIMENSION,
    labels: 3,
    units: 12,
    characters: 'cnn',
  } as const;
  return new DeidentifierNetwork({ ...DEIDENTIFIER_DEFAULTS, ...own }, vocabulary, new Random(1));
};

const sgd = { optimiser: { kind: 'sgd', learningRate: 0.1 }, loss: 'mean' } as const;

function textOf(...lines: readonly string[]): LabelledText {
  return lines.map((line) => {
    const tokens = tokenise(line);
    const labels = Uint8Array.from(tokens, ({ text }) => Number(/^[A-Z]/.test(text)));
    return { documentIndex: 0, tokens, labels };
  });
}

function placesOf(text: LabelledText): Int32Array {
  const words = text.flatMap(({ tokens }) => tokens.map((token) => token.text.toLowerCase()));
  return Int32Array.from(words, (word) => WORDS.indexOf(word));
}

function shapeOf(text: LabelledText): Uint8Array[] {
  return text.map(({ labels }) => labels);
}

/** What one way of training changes; the network is left with the weights that it began with. */
async function changed(
  network: TextNetwork,
  texts: readonly LabelledText[],
  train: (training: LocalTraining) => Promise<unknown>,
): Promise<WeightUpdate> {
  const read = texts.map((text) => network.read(text));
  const training = new LocalTraining(network, read, sgd);
  const before = training.weights();
  await train(training);
  const update = changesOf(before, training.weights());
  training.load(before);
  return update;
}

beforeAll(() => useBackend('native'));
afterAll(() => useBackend('cpu'));

describe('the distance of a gradient from an update', () => {
  const text = textOf('patient Berta seen', 'fever');
  const guess = textOf('liver Emil seen', 'cough');
  const x = table.vectorsOf(placesOf(guess));

  test.each([
    ['Festag and Spreckelsen', festag],
    ['NeuroNER', neuroner],
    ['a de-identifier that reads characters', deidentifier],
  ])(
    'has the derivative by word vectors that differences of it have, with the tagger of %s',
    async (_, make) => {
      const network = make();
      const update = await changed(network, [text], (training) => training.epoch(new Random(2)));
      const match = new GradientMatch(network, update, 'mean');
      const at = (vectors: Float32Array) => match.distance(match.gradient(guess, vectors));
      const before = flatWeights(network.parameters);
      const slopes = match.byVectors(guess, x, match.byGradient(match.gradient(guess, x)));
      expect(flatWeights(network.parameters)).toEqual(before);
      const length = Math.hypot(...slopes);
      expect(length).toBeGreaterThan(0.001);
      for (const i of [0, 21, 42, 63]) {
        const moved = (step: number) => x.with(i, (x[i] as number) + step);
        const difference = (at(moved(0.01)) - at(moved(-0.01))) / 0.02;
        expect(Math.abs((slopes[i] as number) - difference)).toBeLessThan(0.005 * length);
      }
      network.dispose();
    },
  );

  test('leaves the network with its own weights where the derivative ends with an error', async () => {
    const network = festag();
    const update = await changed(network, [text], (training) => training.epoch(new Random(2)));
    const match = new GradientMatch(network, update, 'mean');
    const v = match.byGradient(match.gradient(guess, x));
    const before = flatWeights(network.parameters);
    const read = jest.spyOn(network, 'read').mockImplementation(() => {
      throw new Error('no text');
    });
    expect(() => match.byVectors(guess, x, v)).toThrow('no text');
    expect(read).toHaveBeenCalled();
    expect(flatWeights(network.parameters)).toEqual(before);
    network.dispose();
  });

  test('is nothing for the text itself, and looks at no weight that was not sent', async () => {
    const network = festag();
    const { values } = await changed(network, [text], (training) => training.epoch(new Random(2)));
    const own = table.vectorsOf(placesOf(text));
    const whole = new GradientMatch(network, { values }, 'mean');
    expect(whole.distance(whole.gradient(text, own))).toBeCloseTo(0, 5);
    // Every other weight, as it was changed.
    const places = Uint32Array.from({ length: values.length >> 1 }, (_, i) => 2 * i);
    const sent = { places, values: Float32Array.from(places, (place) => values[place] as number) };
    const half = new GradientMatch(network, sent, 'mean');
    const gradient = half.gradient(text, own);
    expect(half.distance(gradient)).toBeCloseTo(0, 5);
    expect(gradient.every((value, place) => place % 2 === 0 || value === 0)).toBe(true);
    network.dispose();
  });
});

describe('gradient inversion', () => {
  const text = textOf('patient Berta seen fever');
  const config = { ...INVERSION_DEFAULTS, steps: 10, moves: 100 };
  const network = festag();
  const invert = (update: WeightUpdate, signal?: AbortSignal): Promise<Inversion> => {
    const match = new GradientMatch(network, update, 'mean');
    return invertGradient(match, [shapeOf(text)], table, config, new Random(3), signal);
  };
  const oneStep = (...texts: readonly LabelledText[]) =>
    changed(network, texts, (training) => training.epoch(new Random(2)));
  /** How many words stand where they stood. */
  const right = ({ words }: Inversion) => {
    const truth = placesOf(text);
    return truth.filter((place, t) => words[0]?.[t] === place).length;
  };

  test('has every word of a short sentence in its place, from one step on it', async () => {
    const found = await invert(await oneStep(text));
    expect(found.words).toEqual([placesOf(text)]);
    expect(found.distance).toBeCloseTo(0, 5);
  });

  test('does not find them in a step on another sentence', async () => {
    expect(right(await invert(await oneStep(textOf('biopsy Emil acute pain'))))).toBeLessThan(2);
  });

  test('does not find them under the noise of an epsilon of 8, though every step sees the sentence', async () => {
    const noise = new Random(5);
    const privacy = privacyFor({ epsilon: 8, delta: 1e-5 }, 20);
    const draws = { uniform: () => 0, normals: (n: number) => noise.normals(n) };
    const update = await changed(network, [text], (training) =>
      privateEpoch(training, privacy, draws),
    );
    expect(right(await invert(update))).toBeLessThan(2);
  });

  test('ends when it is told to', async () => {
    const update = await oneStep(text);
    const before = flatWeights(network.parameters);
    await expect(invert(update, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(flatWeights(network.parameters)).toEqual(before);
  });

  test('leaves nothing in memory wherever it is told to', async () => {
    const texts = [text, textOf('biopsy Emil acute pain')];
    const match = new GradientMatch(network, await oneStep(...texts), 'mean');
    const before = tf.memory().numTensors;
    for (let last = 0; last < 16; last++) {
      let turns = 0;
      const throwIfAborted = () => {
        if (++turns > last) throw new Error('enough');
      };
      const signal = Object.assign(new AbortController().signal, { throwIfAborted });
      const work = invertGradient(match, texts.map(shapeOf), table, config, new Random(3), signal);
      await expect(work).rejects.toThrow('enough');
      expect([last, tf.memory().numTensors]).toEqual([last, before]);
    }
  });
});
