import { inventoryOf, weightsOf } from '../../../models/bundle/bundle.js';
import { partOf } from '../../../models/bundle/parts.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { readsCharacters } from '../../../models/networks/character-config.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import type { DeidentifierConfig } from '../../../models/networks/deidentifier-config.js';
import { Representation } from '../../../models/networks/representation.js';
import type { Tagger } from '../../../models/networks/tagger.js';
import type { Inventory } from '../../../models/surrogates/inventory.js';
import { TacetError } from '../../../proto/errors.js';
import type { VerifiedModel } from './encoding-model.js';
import { type FittedBundleOptions, verifyFittedBundle } from './fitted-bundle.js';

/** A tagger of a published pipeline; without a representation it reads the text's word vectors. */
export interface TaggingModel extends Tagger {
  readonly representation?: Representation;
  /** Surrogates of its output are of these entities. */
  readonly inventory?: Inventory | undefined;
}

/** Verifies a pipeline bundle for finding PHI. Throws as `verifyFittedBundle` does. */
export async function verifyTaggingModel(
  directory: string,
  options: FittedBundleOptions,
): Promise<VerifiedModel<TaggingModel>> {
  const fitted = await verifyFittedBundle(directory, 'pipeline', options);
  const { verified, embeddings, scheme } = fitted;
  const { digest, keyIds } = verified;
  const { name, version, architecture } = verified.manifest;
  const { representation, deidentifier } = architecture;
  if (!deidentifier)
    throw new TacetError('bundle-invalid', `${directory}: the pipeline has no de-identifier`);
  requireInput(directory, deidentifier, representation?.dimension ?? embeddings.dimension);
  requireWords(directory, deidentifier, representation ? embeddings.dimension : undefined);
  const readsWords = !representation || deidentifier.wordDimension !== undefined;
  if (!readsWords) requireVectorsAlone(directory, deidentifier);
  const inventory = inventoryOf(verified);
  const load = () => {
    const weights = weightsOf(verified);
    return {
      ...(representation && {
        representation: Representation.fromWeights(
          representation,
          partOf(weights, 'representation'),
        ),
      }),
      deidentifier: Deidentifier.fromWeights(deidentifier, partOf(weights, 'deidentifier')),
      vocabulary: new Vocabulary(embeddings, {
        casing: (representation?.casing ?? false) || (readsWords && (deidentifier.casing ?? true)),
        characters: [representation, readsWords ? deidentifier : undefined].some(
          (network) => network !== undefined && readsCharacters(network),
        ),
      }),
      scheme,
      inventory,
    };
  };
  return { digest, name, version, scheme, keyIds, load };
}

function requireInput(directory: string, { inputDimension }: DeidentifierConfig, found: number) {
  if (inputDimension !== found)
    throw new TacetError(
      'bundle-invalid',
      `${directory}: the de-identifier reads vectors of ${inputDimension} numbers, it would get ${found}`,
    );
}

/** A de-identifier reads words beside vectors where it says so, of the bundle's word vectors. */
function requireWords(
  directory: string,
  { wordDimension }: DeidentifierConfig,
  expected: number | undefined,
): void {
  if (wordDimension === undefined || wordDimension === expected) return;
  throw new TacetError(
    'bundle-invalid',
    `${directory}: the de-identifier reads word vectors of ${wordDimension} numbers beside representations, which ` +
      'the bundle does not have',
  );
}

/** What is released has neither casing nor characters beside its vectors. */
function requireVectorsAlone(directory: string, config: DeidentifierConfig): void {
  if (config.casing ?? true)
    throw new TacetError(
      'bundle-invalid',
      `${directory}: the de-identifier reads casing beside released vectors, which is not shared any ` +
        'more; train it anew on a snapshot',
    );
  if (readsCharacters(config))
    throw new TacetError(
      'bundle-invalid',
      `${directory}: the de-identifier reads characters beside released vectors, which are never ` +
        'shared; train it anew on a snapshot',
    );
}

/** Opens a pipeline bundle for finding PHI. Throws as `verifyTaggingModel` does. */
export async function openTaggingModel(
  directory: string,
  options: FittedBundleOptions,
): Promise<TaggingModel> {
  return (await verifyTaggingModel(directory, options)).load();
}
