import { type ManifestFields, noiseLevel } from '../../../models/bundle/manifest.js';
import { joinParts } from '../../../models/bundle/parts.js';
import type { InitialWeights } from '../../../models/networks/initial-weights.js';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import { representationWeights } from '../../../models/networks/representation.js';
import { Random } from '../../../models/tensor/random.js';

const REPRESENTATION = {
  embeddingDimension: 4,
  units: 8,
  dimension: 2,
  initialInputStddev: 0.5,
  initialOutputStddev: 0.5,
};

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
    architecture: { representation: REPRESENTATION },
    training: { objective: 'adversarial', corpus: 'tiny-notes', documents: 10, seed: 1 },
    noise: {
      inputStddev: noiseLevel(new Float32Array(4).fill(0.5)),
      outputStddev: noiseLevel(new Float32Array(2).fill(0.5)),
    },
    scores: { binaryF1: 0.9 },
  };
}

/** Weights that fit `manifestFields`, others for another seed. */
export function tinyWeights(seed = 1): NamedArrays {
  return joinParts({ representation: randomWeights(representationWeights(REPRESENTATION), seed) });
}

/** Normal weights of the shapes of a network, for networks that nobody trained. */
export function randomWeights(initial: InitialWeights, seed: number): NamedArrays {
  const random = new Random(seed);
  return Object.fromEntries(
    Object.entries(initial).map(([name, { shape }]) => [
      name,
      { shape, data: random.normals(shape.reduce((a, b) => a * b, 1)).map((value) => value / 2) },
    ]),
  );
}
