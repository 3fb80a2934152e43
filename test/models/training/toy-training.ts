import { createHash } from 'node:crypto';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import type { Parameters } from '../../../models/networks/parameters.js';
import {
  type TrainingConfig,
  trainingConfig,
} from '../../../models/training/configuration/config.js';
import { phiWords } from '../../../models/training/recipes.js';
import type { ThreePhaseData } from '../../../models/training/three-phase-data.js';
import { LABELS, toyExamples, toyVocabulary } from './toy-notes.js';

const brief = { maxEpochs: 2, patience: 5 };

/** Networks and epochs so small that a whole run takes a second. */
export const TOY_CONFIG: TrainingConfig = trainingConfig({
  representation: { units: 6, dimension: 5 },
  deidentifier: { units: 6, layers: 1 },
  adversary: { units: 6 },
  learner: { learningRate: 0.01 },
  batchSentences: 8,
  neighbours: 4,
  P1: brief,
  P2: brief,
  P3: brief,
  supervised: brief,
  certified: { ...brief, warmupEpochs: 1 },
  dann: { ...brief, rampEpochs: 1 },
});

export async function toyData(): Promise<ThreePhaseData> {
  const vocabulary = toyVocabulary();
  const train = toyExamples(vocabulary, 40, 1);
  const validation = toyExamples(vocabulary, 12, 2);
  const candidates = await findCandidates(vocabulary, phiWords(train, validation), 4);
  return { train, validation, vocabulary, candidates, labels: LABELS };
}

/** A digest of every weight of each network, equal only where every byte is. */
export function weightsOf(networks: Readonly<Record<string, { parameters: Parameters }>>) {
  return Object.fromEntries(
    Object.entries(networks).map(([name, { parameters }]) => [
      name,
      digestOf(parameters.toArrays()),
    ]),
  );
}

function digestOf(arrays: NamedArrays): string {
  const hash = createHash('sha256');
  for (const [name, { data }] of Object.entries(arrays)) {
    hash.update(name).update(Buffer.from(data.buffer));
  }
  return hash.digest('hex');
}
