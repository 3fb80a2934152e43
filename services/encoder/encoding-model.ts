import type { Manifest, NoiseLevel } from '../../models/bundle/manifest.js';
import { noiseOf } from '../../models/bundle/noise.js';
import { partOf } from '../../models/bundle/parts.js';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { Representation } from '../../models/networks/representation.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import { TacetError } from '../../proto/errors.js';
import { type FittedBundleOptions, openFittedBundle } from './fitted-bundle.js';

/** All that encoding needs of a published representation. */
export interface EncodingModel {
  /** SHA-256 in hex of the bundle. */
  readonly digest: string;
  readonly name: string;
  readonly version: string;
  readonly representation: Representation;
  readonly vocabulary: Vocabulary;
  readonly scheme: LabelScheme;
}

/** Share by which a stated noise level may differ from that of the weights: float32 arithmetic. */
const TOLERANCE = 1e-3;

/**
 * Opens a representation bundle for encoding. Throws as `openFittedBundle` does, and
 * `bundle-invalid` where the weights hold other noise than the manifest states, since the manifest
 * is what people read when they decide.
 */
export async function openEncodingModel(
  directory: string,
  options: FittedBundleOptions,
): Promise<EncodingModel> {
  const { bundle, embeddings, scheme } = await openFittedBundle(
    directory,
    'representation',
    options,
  );
  const { manifest, weights, digest } = bundle;
  const representation = Representation.fromWeights(
    manifest.architecture.representation,
    partOf(weights, 'representation'),
  );
  requireStatedNoise(directory, manifest.noise, representation);
  const { name, version } = manifest;
  return { digest, name, version, representation, vocabulary: new Vocabulary(embeddings), scheme };
}

function requireStatedNoise(
  directory: string,
  stated: Manifest['noise'],
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
