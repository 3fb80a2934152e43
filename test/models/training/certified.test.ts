import { beforeAll, describe, expect, test } from '@jest/globals';
import { certifiedBound } from '../../../models/attacks/certified-bound.js';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { trainCertified } from '../../../models/training/certified.js';
import { CERTIFIED_DEFAULTS } from '../../../models/training/configuration/certified-config.js';
import { THREE_PHASE_DEFAULTS } from '../../../models/training/configuration/three-phase-config.js';
import { phiWords } from '../../../models/training/recipes.js';
import { createNetworks } from '../../../models/training/three-phase.js';
import { toyContext } from '../attacks/toy-target.js';
import { LABELS, toyExamples, toyVocabulary } from './toy-notes.js';

const CONFIG = {
  ...THREE_PHASE_DEFAULTS,
  representation: { units: 8, dimension: 5, initialInputStddev: 0.05, initialOutputStddev: 0.05 },
  deidentifier: { ...THREE_PHASE_DEFAULTS.deidentifier, units: 8, layers: 1 },
  learner: { learningRate: 0.01, clipNorm: 1 },
  batchSentences: 16,
  certified: { ...CERTIFIED_DEFAULTS, maxEpochs: 10, patience: 10 },
};

beforeAll(async () => {
  await useBackend();
});

describe('the certified objective', () => {
  test('lowers the bound on every adversary and still learns to find PHI', async () => {
    const { before, after, best } = await trained({});
    expect(before.bound.value).toBeGreaterThan(0.75);
    expect(after.bound.value).toBeLessThan(0.65);
    expect(best?.l_deid).toBeLessThan(0.3);
  });

  test('closes pairs that are wide open where its tail weighs something', async () => {
    const [without, tailed] = [await trained({}), await trained({ tail: 1 })];
    expect(tailed.after.percentile99).toBeLessThan(without.after.percentile99);
    expect(tailed.best?.monitor).toBeGreaterThan(
      Number(tailed.best?.l_deid) + CONFIG.certified.lambda * Number(tailed.best?.advantage),
    );
  });

  test('prices words in lower case, which all names of these notes are, as said', async () => {
    const weighed = await trained({ lowerCase: 4, maxEpochs: 3 });
    const dearer = await trained({ lambda: 4 * CONFIG.certified.lambda, maxEpochs: 3 });
    const usual = await trained({ maxEpochs: 3 });
    expect(weighed.after.bound.value).toBeCloseTo(dearer.after.bound.value, 3);
    expect(weighed.best?.monitor).toBeCloseTo(Number(dearer.best?.monitor), 3);
    expect(weighed.after.bound.value).toBeLessThan(usual.after.bound.value);
  });
});

async function trained(options: Partial<typeof CERTIFIED_DEFAULTS>) {
  const vocabulary = toyVocabulary();
  const [train, validation, held] = [160, 40, 80].map((count, i) =>
    toyExamples(vocabulary, count, 20 + i),
  );
  const words = phiWords(train, validation, held);
  const candidates = await findCandidates(vocabulary, words, 6);
  const data = { train, validation, vocabulary, candidates, labels: LABELS };
  const config = { ...CONFIG, certified: { ...CONFIG.certified, ...options } };
  const networks = createNetworks(data, config, new Random(3));
  const bound = async () => {
    const { representation } = networks;
    const labels = ['O', 'B-NAME', 'I-NAME'];
    const notes = { train, validation, test: held };
    return certifiedBound(
      await toyContext({ representation, vocabulary, candidates, labels, ...notes }),
    );
  };
  const before = await bound();
  const { best } = await trainCertified(networks, data, config, { random: new Random(5) });
  return { before, after: await bound(), best };
}
