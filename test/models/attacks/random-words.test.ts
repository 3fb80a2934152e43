import { beforeAll, expect, test } from '@jest/globals';
import { conduct } from '../../../models/attacks/attack.js';
import { freshTrainingAdversary } from '../../../models/attacks/learned/continued-adversary.js';
import { randomWords } from '../../../models/attacks/random-words.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { DIMENSION } from '../training/toy-notes.js';
import { toyContext, toyTarget } from './toy-target.js';

beforeAll(() => useBackend());

test.each(['T1', 'T2'] as const)(
  'the adversary learns %s on random vectors in place of words',
  async (task) => {
    const view = () => randomWords(DIMENSION, 3);
    const target = await toyTarget({ view, sentences: [400, 60, 200] });
    const limits = { learningRate: 0.01, maxEpochs: 40, patience: 40 };
    const attack = freshTrainingAdversary({ task, units: 16, limits });
    const [report] = await conduct(attack, target, await toyContext(target));
    expect(report.success.interval[0]).toBeGreaterThan(0.5);
  },
  120_000,
);
