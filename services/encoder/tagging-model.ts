import { partOf } from '../../models/bundle/parts.js';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../models/networks/deidentifier.js';
import { Representation } from '../../models/networks/representation.js';
import type { Tagger } from '../../models/networks/tagger.js';
import { TacetError } from '../../proto/errors.js';
import { type FittedBundleOptions, openFittedBundle } from './fitted-bundle.js';

/** A tagger of a published pipeline. */
export interface TaggingModel extends Tagger {
  readonly representation: Representation;
}

/** Opens a pipeline bundle for finding PHI. Throws as `openFittedBundle` does. */
export async function openTaggingModel(
  directory: string,
  options: FittedBundleOptions,
): Promise<TaggingModel> {
  const { bundle, embeddings, scheme } = await openFittedBundle(directory, 'pipeline', options);
  const { architecture } = bundle.manifest;
  if (!architecture.deidentifier)
    throw new TacetError('bundle-invalid', `${directory}: the pipeline has no de-identifier`);
  return {
    representation: Representation.fromWeights(
      architecture.representation,
      partOf(bundle.weights, 'representation'),
    ),
    deidentifier: Deidentifier.fromWeights(
      architecture.deidentifier,
      partOf(bundle.weights, 'deidentifier'),
    ),
    vocabulary: new Vocabulary(embeddings),
    scheme,
  };
}
