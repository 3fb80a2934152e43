import { type ManifestFields, noiseLevel } from '../../../models/bundle/manifest.js';

/** The facts of a small representation, for tests that need a bundle and no model. */
export function manifestFields(): ManifestFields {
  return {
    name: 'tiny',
    version: '1.0.0',
    kind: 'representation',
    tokenisation: 'tacet-aggressive-1',
    labelScheme: {
      name: 'tiny-scheme',
      version: '1',
      labels: ['O', 'B-NAME', 'I-NAME'],
      digest: 'a'.repeat(64),
    },
    embeddings: { identity: 'e'.repeat(64), dimension: 4, name: 'tiny embeddings' },
    architecture: {
      representation: {
        embeddingDimension: 4,
        units: 8,
        dimension: 2,
        initialInputStddev: 0.5,
        initialOutputStddev: 0.5,
      },
    },
    training: { objective: 'adversarial', documents: 10, seed: 1 },
    noise: {
      inputStddev: noiseLevel(new Float32Array(4).fill(0.5)),
      outputStddev: noiseLevel(new Float32Array(2).fill(0.5)),
    },
    scores: { binaryF1: 0.9 },
  };
}
