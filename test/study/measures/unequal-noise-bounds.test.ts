import { beforeAll, expect, test } from '@jest/globals';
import { Representation } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { drawTwins, pairSource } from '../../../models/training/data/pairs.js';
import { unequalNoiseBounds } from '../../../study/measures/unequal-noise-bounds.js';
import type { Subject } from '../../../study/runs/subject.js';
import { DIMENSION } from '../../models/training/toy-notes.js';
import { TOY_CONFIG, toyData } from '../../models/training/toy-training.js';

beforeAll(() => useBackend());

test('held-out notes of one patient are one document to the limit', async () => {
  const { validation, candidates, vocabulary } = await toyData();
  const config = { ...TOY_CONFIG.representation, noise: 'dependent' } as const;
  const representation = Representation.create(
    { ...config, embeddingDimension: DIMENSION },
    new Random(1),
  );
  const source = pairSource(validation, candidates);
  const sentences = [...source.positions.keys()];
  const twins = drawTwins(sentences, source, new Random(2));
  const trials = sentences.map((example, i) => ({ example, twin: twins[i].ids }));
  const boundsBy = (origins: ReadonlyMap<number, number>) => {
    const subject = {
      ...{ representation, notes: { vocabulary }, random: () => new Random(3) },
      heldOutTrials: async () => ({ batches: [trials], draws: 2, origins }),
    };
    return unequalNoiseBounds(subject as unknown as Subject, {});
  };
  const indices = [...new Set(sentences.map(({ documentIndex }) => documentIndex))];
  const alone = await boundsBy(new Map(indices.map((index) => [index, index])));
  const together = await boundsBy(new Map(indices.map((index) => [index, 0])));
  const { value } = alone.certified.bound;
  expect(alone.certified.documents).toBe(indices.length);
  expect(together.certified).toEqual({
    ...alone.certified,
    ...{ documents: 1, bound: { value, interval: [0.5, 1] } },
  });
  representation.dispose();
});
