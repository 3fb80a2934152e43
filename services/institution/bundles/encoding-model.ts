import { isBinary } from '../../../models/bundle/binary-scheme.js';
import { inventoryOf, weightsOf } from '../../../models/bundle/bundle.js';
import type { Noise, NoiseLevel } from '../../../models/bundle/manifest.js';
import { noiseOf } from '../../../models/bundle/noise.js';
import { partOf } from '../../../models/bundle/parts.js';
import { representedBy } from '../../../models/bundle/represented.js';
import type { VerifiedFiles } from '../../../models/bundle/verify.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { readsCharacters } from '../../../models/networks/character-config.js';
import { Representation } from '../../../models/networks/representation.js';
import type { Inventory } from '../../../models/surrogates/inventory.js';
import { withJoinedTypes } from '../../../models/surrogates/joined-types.js';
import type { LabelScheme } from '../../../models/text/label-scheme.js';
import { TacetError } from '../../../proto/errors.js';
import { type FittedBundleOptions, verifyFittedBundle } from './fitted-bundle.js';

/** Which model a bundle is. */
export interface ModelIdentity {
  /** SHA-256 in hex of the bundle. */
  readonly digest: string;
  readonly name: string;
  readonly version: string;
}

/** All that encoding needs of a published representation. */
export interface EncodingModel extends ModelIdentity {
  readonly representation: Representation;
  readonly vocabulary: Vocabulary;
  readonly scheme: LabelScheme;
  /** Public entities that stand for those of notes, where its bundle has some. */
  readonly inventory?: Inventory | undefined;
  /** BCP 47, of the notes that it was trained on, where its manifest says so. */
  readonly language?: string | undefined;
}

/** A model that may be used, as far as its bundle tells; a registry or a policy may know better. */
export interface VerifiedModel<M> extends ModelIdentity {
  readonly scheme: LabelScheme;
  /** Whose signatures were verified: SHA-256 of the keys, in hex. */
  readonly keyIds: readonly string[];
  /** Parses the weights, which nothing has done before. */
  load(): M;
}

/** Share by which a stated noise level may differ from that of the weights: float32 arithmetic. */
const TOLERANCE = 1e-3;

/** Verifies a representation bundle for encoding. Throws as `verifyFittedBundle` does. */
export async function verifyEncodingModel(
  directory: string,
  options: FittedBundleOptions,
): Promise<VerifiedModel<EncodingModel>> {
  const fitted = await verifyFittedBundle(directory, 'representation', options);
  const { verified, embeddings, scheme } = fitted;
  const { manifest, digest, keyIds } = verified;
  const { name, version } = manifest;
  const { representation: config, noise } = representedBy(directory, manifest);
  const load = () => {
    const representation = Representation.fromWeights(
      config,
      partOf(weightsOf(verified), 'representation'),
    );
    requireStatedNoise(directory, noise, representation);
    const vocabulary = new Vocabulary(embeddings, {
      casing: config.casing ?? false,
      characters: readsCharacters(config),
    });
    const { language } = manifest.training;
    const inventory = inventoryIn(verified, scheme);
    return {
      ...{ digest, name, version, representation, vocabulary, scheme, inventory },
      language: language === undefined ? undefined : String(language),
    };
  };
  return { digest, name, version, scheme, keyIds, load };
}

/**
 * Opens a representation bundle for encoding. Throws as `verifyEncodingModel` does, and
 * `bundle-invalid` where the weights hold other noise than the manifest states, since the manifest
 * is what people read when they decide.
 */
export async function openEncodingModel(
  directory: string,
  options: FittedBundleOptions,
): Promise<EncodingModel> {
  return (await verifyEncodingModel(directory, options)).load();
}

/** What a bundle has to stand for the entities of notes that are labelled by a scheme. Throws `inventory-invalid`. */
export function inventoryIn(
  verified: Pick<VerifiedFiles, 'files'>,
  scheme: LabelScheme,
): Inventory | undefined {
  const typed = inventoryOf(verified);
  return typed && isBinary(scheme) ? withJoinedTypes(typed, 'PHI') : typed;
}

function requireStatedNoise(
  directory: string,
  stated: Noise,
  representation: Representation,
): void {
  const found = noiseOf(representation);
  for (const layer of ['inputStddev', 'outputStddev'] as const) {
    for (const [fact, value] of Object.entries(found[layer])) {
      const claim = stated[layer][fact as keyof NoiseLevel];
      if (!(Math.abs(value - claim) <= TOLERANCE * claim))
        throw new TacetError(
          'bundle-invalid',
          `${directory}: the manifest states a ${layer} ${fact} of ${claim}, the weights give ${value}`,
        );
    }
  }
}
