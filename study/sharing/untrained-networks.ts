import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { DeidentifierNetwork } from '../../models/networks/deidentifier-network.js';
import { Random } from '../../models/tensor/random.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import type { MatrixMaterial } from './matrix.js';

/** De-identifiers on raw text that are to be trained together, over one vocabulary. */
export interface UntrainedNetworks {
  readonly vocabulary: Vocabulary;
  /** One more, with the weights of the seed: all begin alike, and so does an attacker's own. */
  create(): DeidentifierNetwork;
}

/** By the network of a configuration and its seed. */
export function untrainedNetworks(
  { embeddings, scheme }: MatrixMaterial,
  { deidentifier, seed }: Pick<TrainingConfig, 'deidentifier' | 'seed'>,
): UntrainedNetworks {
  const vocabulary = new Vocabulary(embeddings, { characters: true });
  const sizes = { inputDimension: vocabulary.dimension, labels: scheme.labels.length };
  const random = new Random(seed);
  return {
    vocabulary,
    create: () =>
      new DeidentifierNetwork({ ...deidentifier, ...sizes }, vocabulary, random.fork('initialise')),
  };
}
