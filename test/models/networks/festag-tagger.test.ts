import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { coupledBilstm, coupledBilstmWeights } from '../../../models/networks/coupled-bilstm.js';
import { DeidentifierNetwork } from '../../../models/networks/deidentifier-network.js';
import {
  FESTAG_DEFAULTS,
  FestagTagger,
  festagWeights,
} from '../../../models/networks/festag-tagger.js';
import { NEURONER_DEFAULTS, NeuronerTagger } from '../../../models/networks/neuroner-tagger.js';
import { Parameters } from '../../../models/networks/parameters.js';
import { spellingsOf } from '../../../models/networks/spellings.js';
import type { TextNetwork } from '../../../models/networks/text-network.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { Sgd } from '../../../models/tensor/sgd.js';
import * as tf from '../../../models/tensor/tf.js';
import type { LabelledSentence } from '../../../models/text/labelled-sentence.js';
import { tokenise } from '../../../models/text/tokeniser.js';
import { expectClose } from '../tensor/gradient-check.js';

const WORDS = ['doctor', 'saw', 'ana', 'today', 'in', 'lima'];

function vocabulary(): Vocabulary {
  const rows = new Random(3).normals(WORDS.length * 6);
  return new Vocabulary(embeddingsFromRows(WORDS, Float32Array.from(rows)));
}

function sentence(text: string, labels: readonly number[]): LabelledSentence {
  return { documentIndex: 0, tokens: tokenise(text), labels: Uint8Array.from(labels) };
}

const TEXT = [
  sentence('doctor saw Ana Zu', [0, 0, 1, 2]),
  sentence('today in Lima', [0, 0, 3]),
  sentence('Ana saw Lima', [1, 0, 3]),
];
const SIZES = { dimension: 6, labels: 5, characterUnits: 4, units: 5, hidden: 4 };

const NETWORKS: Readonly<Record<string, () => TextNetwork>> = {
  festag: () => new FestagTagger({ ...FESTAG_DEFAULTS, ...SIZES }, vocabulary(), new Random(1)),
  neuroner: () =>
    new NeuronerTagger(
      { ...NEURONER_DEFAULTS, ...SIZES, characterDimension: 3 },
      vocabulary(),
      new Random(1),
    ),
  'neuroner with trained words': () => {
    const words = vocabulary();
    const config = { ...NEURONER_DEFAULTS, ...SIZES, characterDimension: 3 };
    const ids = WORDS.map((word) => words.idOf(word));
    return new NeuronerTagger(config, words, new Random(1), ids);
  },
  deidentifier: () =>
    new DeidentifierNetwork(
      {
        ...{ inputDimension: 6, labels: 5, units: 5, layers: 1 },
        ...{ inputDropout: 0.1, recurrentDropout: 0.2, outputDropout: 0.3 },
      },
      vocabulary(),
      new Random(1),
    ),
};

beforeEach(async () => void (await useBackend('native')));
afterEach(() => useBackend('cpu'));

describe.each(Object.entries(NETWORKS))('the tagger %s', (_, make) => {
  test('has gradients that agree with finite differences in every weight', () => {
    const network = make();
    const text = network.read(TEXT);
    const variables = network.parameters.variables();
    const { grads } = tf.variableGrads(() => text.loss(), variables);
    const random = new Random(5);
    for (const variable of variables) {
      const before = Float32Array.from(variable.dataSync<'float32'>());
      const direction = random.normals(variable.size);
      const at = (step: number) => {
        variable.assign(
          tf.tensor(
            before.map((value, i) => value + step * (direction[i] as number)),
            variable.shape,
          ),
        );
        return tf.tidy(() => text.loss().dataSync<'float32'>()[0]);
      };
      const slope = (at(4e-3) - at(-4e-3)) / 8e-3;
      variable.assign(tf.tensor(before, variable.shape));
      const gradient =
        grads[variable.name]?.dataSync<'float32'>() ?? new Float32Array(before.length);
      const expected = gradient.reduce((sum, g, i) => sum + g * (direction[i] as number), 0);
      expect(Math.abs(slope - expected)).toBeLessThan(0.01 * (1 + Math.abs(expected)));
    }
  });

  test('finds nothing in a text without a word', () => {
    const network = make();
    expect([...network.read([]).decode()]).toEqual([]);
    network.dispose();
  });

  test('learns a text by heart, and its dropout follows the seed', () => {
    const network = make();
    const text = network.read(TEXT);
    const dropped = (seed: number) =>
      tf.tidy(() => text.loss(new Random(seed)).dataSync<'float32'>()[0]);
    expect(dropped(1)).toBe(dropped(1));
    expect(dropped(1)).not.toBe(dropped(2));
    const variables = network.parameters.variables();
    const optimiser = new Sgd(variables, { learningRate: 0.1, clipValue: 5 });
    for (let step = 0; step < 150; step++) {
      tf.tidy(() => {
        const { grads } = tf.variableGrads(() => text.loss(), variables);
        optimiser.apply(
          Object.fromEntries(
            variables.map((each) => [each.name, grads[each.name] ?? tf.zerosLike(each)]),
          ),
        );
      });
    }
    expect([...text.decode()]).toEqual([...text.labels]);
    expect(text.tokens).toBe(10);
    network.dispose();
  });
});

test('the coupled LSTM is what its equations say', () => {
  const [inputs, units] = [4, 3];
  const initial = coupledBilstmWeights('c', inputs, units);
  const parameters = Parameters.fresh(initial, new Random(2));
  const codes = [2, 0, 3];
  const found = tf.tidy(() =>
    coupledBilstm(
      parameters,
      'c',
      tf.tensor2d(codes, [1, 3], 'int32'),
      Int32Array.of(3),
    ).dataSync<'float32'>(),
  );
  const read = (name: string) => parameters.toArrays()[`c/forward/${name}`]?.data as Float32Array;
  const [kernel, recurrent, bias] = [read('kernel'), read('recurrent'), read('bias')];
  const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
  let h = new Array<number>(units).fill(0);
  let c = new Array<number>(units).fill(0);
  const expected = codes.flatMap((code) => {
    const sum = (gate: number, u: number) => {
      const column = gate * units + u;
      const fed = h.reduce(
        (all, value, k) => all + value * (recurrent[k * 3 * units + column] as number),
        0,
      );
      return (kernel[code * 3 * units + column] as number) + fed + (bias[column] as number);
    };
    const units0 = Array.from({ length: units }, (_, u) => u);
    const i = units0.map((u) => sigmoid(sum(0, u) + 1));
    const g = units0.map((u) => Math.tanh(sum(1, u)));
    const o = units0.map((u) => sigmoid(sum(2, u)));
    c = units0.map(
      (u) => (i[u] as number) * (c[u] as number) + (1 - (i[u] as number)) * (g[u] as number),
    );
    h = units0.map((u) => (o[u] as number) * Math.tanh(c[u] as number));
    return h;
  });
  const forward = found.filter((_, at) => at % (2 * units) < units);
  expectClose(forward, expected, 1e-5);
});

test('the network of the paper has its size', () => {
  const weights = festagWeights({ ...FESTAG_DEFAULTS, dimension: 300, labels: 57 });
  const shapeOf = (name: string) => weights[name]?.shape;
  expect(shapeOf('characters/forward/kernel')).toEqual([128, 3 * 128]);
  expect(shapeOf('characters/forward/recurrent')).toEqual([128, 3 * 128]);
  expect(shapeOf('tokens/backward/kernel')).toEqual([556, 4 * 100]);
  expect(shapeOf('hidden/kernel')).toEqual([200, 100]);
  expect(shapeOf('classes/kernel')).toEqual([100, 29]);
});

test('spellings are read once each, in their case, with one code for what is not ASCII', () => {
  const { codes, lengths, steps, rows } = spellingsOf(tokenise('Ana ana Ñu Ana'));
  expect([...lengths]).toEqual([3, 3, 2]);
  expect(steps).toBe(3);
  expect([...codes]).toEqual([65, 110, 97, 97, 110, 97, 127, 117, 0]);
  expect(rows[0]).toBe(rows[3]);
  expect(new Set(rows).size).toBe(3);
});
