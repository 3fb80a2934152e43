import { beforeAll, expect, test } from '@jest/globals';
import { statedScores } from '../../../models/bundle/stated-scores.js';
import type { Deidentifier } from '../../../models/networks/deidentifier.js';
import { useBackend } from '../../../models/tensor/backend.js';
import type * as tf from '../../../models/tensor/tf.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { copyWeight } from '../../../models/training/data/copy-weight.js';
import type { VectorExample } from '../../../models/training/data/examples.js';
import { pooledScores } from '../../../study/measures/pooled-scores.js';

/** Two of them make what is scored as one. */
const TOKENS = 15;
const scheme = loadLabelScheme('phi-binary');
const PHI = scheme.labels.findIndex((label) => label.startsWith('B-'));

beforeAll(() => useBackend());

/** Finds the label that the one number of a token is. */
const reader = {
  config: { inputDimension: 1 },
  emissions: (x: tf.Tensor3D) => x,
  decode: (x: tf.Tensor3D) => Int32Array.from(x.dataSync()),
} as unknown as Deidentifier;

/** Forty sentences of PHI, each found, in `copies`, and forty of none, a quarter of which has a false alarm. */
function released(copies: number): VectorExample[] {
  const sentence = (label: number, found: number): VectorExample => {
    const [labels, vectors] = [new Uint8Array(TOKENS), new Float32Array(TOKENS)];
    [labels[1], vectors[1]] = [label, found];
    return { vectors, labels, weight: copyWeight(labels, copies) };
  };
  return [
    ...Array.from({ length: 40 * copies }, () => sentence(PHI, PHI)),
    ...Array.from({ length: 40 }, (_, i) => sentence(0, i % 4 === 0 ? PHI : 0)),
  ];
}

const scored = (copies: number) =>
  pooledScores(reader, released(copies), scheme, { batchSentences: 4 }, {});

test('a pool of copies scores what it scores with each note once, as surely, on as many sentences', async () => {
  const once = await scored(1);
  const precision = statedScores(once.scores).find(({ name }) => name.includes('precision'));
  expect(precision?.value).toBeCloseTo(0.8, 10);
  expect(precision?.interval?.[0]).toBeGreaterThan(0);
  expect(once.sentences).toBe(40 + 40);
  expect(await scored(3)).toEqual(once);
});

test('of copies that are fewer than their number one is scored', async () => {
  const [copy] = released(24) as [VectorExample];
  const { sentences } = await pooledScores(reader, [copy], scheme, { batchSentences: 4 }, {});
  expect(sentences).toBe(1);
});
