import { beforeAll, describe, expect, test } from '@jest/globals';
import { Deidentifier, deidentifierWeights } from '../../../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../../../models/networks/deidentifier-config.js';
import { Representation, representationWeights } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';

const REPRESENTATION = {
  embeddingDimension: 4,
  units: 3,
  dimension: 2,
  initialInputStddev: 0.1,
  initialOutputStddev: 0.1,
};
const DEIDENTIFIER = { ...DEIDENTIFIER_DEFAULTS, inputDimension: 2, labels: 3, units: 2 };

describe.each([
  [
    'a representation',
    () => Representation.create(REPRESENTATION, new Random(1)).parameters.toArrays(),
    (weights: Parameters<typeof Representation.fromWeights>[1]) =>
      Representation.fromWeights(REPRESENTATION, weights),
    () => representationWeights(REPRESENTATION),
  ],
  [
    'a de-identifier',
    () => Deidentifier.create(DEIDENTIFIER, new Random(1)).parameters.toArrays(),
    (weights: Parameters<typeof Deidentifier.fromWeights>[1]) =>
      Deidentifier.fromWeights(DEIDENTIFIER, weights),
    () => deidentifierWeights(DEIDENTIFIER),
  ],
])('%s', (_, fresh, load, initial) => {
  beforeAll(async () => {
    await useBackend();
  });

  test('states the shapes of the weights that it has', () => {
    for (const [name, { shape, data }] of Object.entries(fresh())) {
      expect(initial()[name]?.shape).toEqual(shape);
      expect(data).toHaveLength(shape.reduce((a, b) => a * b, 1));
    }
    expect(() => load(fresh())).not.toThrow();
  });

  test('is refused where any one weight is missing or of another shape', () => {
    for (const name of Object.keys(initial())) {
      const { [name]: weight, ...rest } = fresh();
      expect(() => load(rest)).toThrow(expect.objectContaining({ code: 'bundle-invalid' }));
      const wider = {
        shape: [1, ...(weight?.shape ?? [])],
        data: weight?.data ?? new Float32Array(0),
      };
      expect(() => load({ ...rest, [name]: wider })).toThrow(name);
    }
  });

  test('is refused with a weight that it does not know, or that is no number', () => {
    const weights = fresh();
    expect(() => load({ ...weights, more: { shape: [1], data: Float32Array.of(1) } })).toThrow(
      'more',
    );
    const [name = ''] = Object.keys(weights);
    const shape = weights[name]?.shape ?? [];
    const data = new Float32Array(weights[name]?.data.length ?? 0).fill(Number.POSITIVE_INFINITY);
    expect(() => load({ ...weights, [name]: { shape, data } })).toThrow('finite');
  });
});

test('of more weights than are trained are not drawn', () => {
  const config = { ...DEIDENTIFIER, units: 2 ** 14 };
  expect(() => Deidentifier.create(config, new Random(1))).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringMatching(/units/) }),
  );
});
