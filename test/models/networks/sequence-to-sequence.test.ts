import { beforeAll, expect, test } from '@jest/globals';
import { Deidentifier, deidentifierWeights } from '../../../models/networks/deidentifier.js';
import {
  DEIDENTIFIER_DEFAULTS,
  type DeidentifierConfig,
  VECTORS_ALONE,
} from '../../../models/networks/deidentifier-config.js';
import { labelPosteriors } from '../../../models/networks/opinion-pool.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { namedConfiguration } from '../../../models/training/configuration/configurations.js';
import { Learner } from '../../../models/training/run/learner.js';
import { difference } from '../tensor/native-session.js';

const [WORDS, L, T] = [6, 3, 9];
const CONFIG: DeidentifierConfig = {
  ...{ ...DEIDENTIFIER_DEFAULTS, ...VECTORS_ALONE, inputDimension: WORDS, labels: L },
  ...{ network: 'sequence-to-sequence', units: 16, layers: 1, heads: 4, feedForward: 32, reach: 4 },
  ...{ inputDropout: 0, recurrentDropout: 0, outputDropout: 0 },
};

beforeAll(async () => {
  await useBackend('native');
});

interface Toy {
  readonly x: tf.Tensor3D;
  readonly labels: Int32Array;
  readonly lengths: Int32Array;
}

/** Words at random; a word is PHI where the one before it is word 0, and goes on where that one is PHI and it is word 1. */
function toy(sentences: number, random: Random): Toy {
  const lengths = Int32Array.from({ length: sentences }, (_, row) => 1 + ((row * 5) % T));
  const labels = new Int32Array(sentences * T);
  const x = new Float32Array(sentences * T * WORDS);
  lengths.forEach((length, row) => {
    let before = -1;
    for (let at = row * T; at < row * T + length; at++) {
      const word = random.integer(WORDS);
      x[at * WORDS + word] = 1;
      const goesOn = at > row * T && labels[at - 1] !== 0 && word === 1;
      labels[at] = before === 0 ? 1 : goesOn ? 2 : 0;
      before = word;
    }
  });
  return { x: tf.tensor3d(x, [sentences, T, WORDS]), labels, lengths };
}

function trained(config: DeidentifierConfig, steps: number): Deidentifier {
  const network = Deidentifier.create(config, new Random(1));
  const learner = new Learner([network.parameters], {
    ...{ optimiser: 'adam', learningRate: 0.01, warmupSteps: 20, clipNorm: 1 },
  });
  const random = new Random(2);
  for (let step = 0; step < steps; step++)
    tf.tidy(() => {
      const { x, labels, lengths } = toy(32, random);
      learner.step(() => network.loss(network.emissions(x, lengths), labels, lengths));
    });
  return network;
}

/** Of tokens of new sentences: the share that got its label, and how many of PHI and of all were called PHI. */
function found(network: Deidentifier) {
  const { x, labels, lengths } = toy(200, new Random(9));
  const decoded = network.decode(network.emissions(x, lengths), lengths);
  const places = [...labels.keys()].filter((i) => i % T < (lengths[Math.floor(i / T)] as number));
  const count = (is: (i: number) => boolean) => places.filter(is).length;
  return {
    right: count((i) => decoded[i] === labels[i]) / places.length,
    ofPhi: count((i) => labels[i] !== 0 && decoded[i] !== 0) / count((i) => labels[i] !== 0),
    called: count((i) => decoded[i] !== 0),
  };
}

test('it learns which tokens to copy and which to replace by what stands before them', () => {
  expect(found(trained(CONFIG, 250)).right).toBeGreaterThan(0.97);
});

test('more of the PHI is replaced where it counts more, and more of the rest with it', () => {
  const even = found(trained({ ...CONFIG, phiWeight: 1 }, 12));
  const weighted = found(trained({ ...CONFIG, phiWeight: 20 }, 12));
  expect(weighted.ofPhi).toBeGreaterThan(even.ofPhi);
  expect(weighted.called).toBeGreaterThan(even.called);
});

test('what it says of a sentence does not depend on those beside it', () => {
  const network = Deidentifier.create({ ...CONFIG, layers: 2 }, new Random(3));
  const { x, lengths } = toy(4, new Random(4));
  const together = network.emissions(x, lengths);
  lengths.forEach((length, row) => {
    const alone = network.emissions(
      x.slice([row, 0, 0], [1, length, WORDS]),
      Int32Array.of(length),
    );
    const beside = together.slice([row, 0, 0], [1, length, L]);
    const pair = [alone, beside].map((y) => Float32Array.from(y.dataSync()));
    expect(difference(...(pair as [Float32Array, Float32Array]))).toBeLessThan(1e-5);
  });
});

test('its posterior is the softmax of each token by itself', () => {
  const network = Deidentifier.create(CONFIG, new Random(5));
  const { x } = toy(1, new Random(6));
  const emissions = network.emissions(x.slice([0, 0, 0], [1, 1, WORDS]), Int32Array.of(1));
  const posterior = labelPosteriors(emissions, Int32Array.of(1), network.crfValues());
  const softmax = tf.softmax(emissions.reshape([-1])).dataSync();
  expect(difference(posterior, Float32Array.from(softmax))).toBeLessThan(1e-6);
});

test('decoding and posteriors leave no tensors behind', () => {
  const network = Deidentifier.create(CONFIG, new Random(10));
  const { x, lengths } = toy(3, new Random(11));
  const emissions = network.emissions(x, lengths);
  const before = tf.memory().numTensors;
  network.decode(emissions, lengths);
  labelPosteriors(emissions, lengths, network.crfValues());
  expect(tf.memory().numTensors).toBe(before);
});

test('the loss and its gradients are those of the reference', async () => {
  const gradients = async (backend: 'native' | 'cpu') => {
    await useBackend(backend);
    return tf.tidy(() => {
      const network = Deidentifier.create({ ...CONFIG, phiWeight: 3, layers: 2 }, new Random(7));
      const { x, labels, lengths } = toy(5, new Random(8));
      const dropped = () => network.emissions(x, lengths, new Random(9));
      const weights = Float32Array.of(1, 2, 1, 0.5, 1);
      const loss = () => network.loss(dropped(), labels, lengths, weights);
      const variables = network.parameters.variables();
      const { value, grads } = tf.variableGrads(loss, variables);
      const all = [value, ...variables.flatMap(({ name }) => grads[name] ?? [])];
      return all.map((each) => Float32Array.from(each.dataSync()));
    });
  };
  const expected = await gradients('cpu');
  const [native, reference] = [await gradients('native'), expected];
  expect(native.length).toBe(reference.length);
  native.forEach((values, i) => {
    expect(difference(values, reference[i] as Float32Array)).toBeLessThan(1e-4);
  });
});

test('units that heads cannot share are refused, of a configuration and of a bundle', () => {
  const wrong = { ...CONFIG, heads: 3 };
  const refusal = (code: string) =>
    expect.objectContaining({ code, message: expect.stringContaining('16 units') });
  expect(() => Deidentifier.create(wrong, new Random(1))).toThrow(refusal('config-invalid'));
  expect(() => Deidentifier.fromWeights(wrong, {})).toThrow(refusal('bundle-invalid'));
});

test("the size of the paper's has 59 million weights, without its tables of words", () => {
  const { deidentifier } = namedConfiguration('sequence-to-sequence-78m') as {
    deidentifier?: object;
  };
  const config = { ...DEIDENTIFIER_DEFAULTS, ...deidentifier, inputDimension: 300, labels: 59 };
  const sizes = Object.values(deidentifierWeights(config)).map(({ shape }) =>
    shape.reduce((size, length) => size * length, 1),
  );
  const weights = sizes.reduce((sum, size) => sum + size, 0);
  expect(Math.round(weights / 1e6)).toBe(59);
});
