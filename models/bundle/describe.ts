import { TacetError } from '../../proto/errors.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import type { DeidentifierConfig } from '../networks/deidentifier-config.js';
import type { NamedArrays } from '../networks/named-arrays.js';
import type { Parameters } from '../networks/parameters.js';
import type { Representation } from '../networks/representation.js';
import { type RepresentationConfig, whyUnpublishable } from '../networks/representation-config.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { TOKENISATION } from '../text/tokeniser.js';
import { type Facts, type ManifestFields, parseManifestFields } from './manifest.js';
import { noiseOf } from './noise.js';
import { joinParts } from './parts.js';
import { statedScheme } from './stated-scheme.js';

/** What a publisher says of a model beside what the model itself shows. */
export interface Publication {
  readonly name: string;
  /** `major.minor.patch`. */
  readonly version: string;
  readonly scheme: LabelScheme;
  readonly embeddings: Embeddings;
  /** For people: which embeddings to look for. */
  readonly embeddingsName: string;
  /** The training data statement: corpora, documents, objective, seed. */
  readonly training: Facts;
  readonly scores: Readonly<Record<string, number>>;
}

/** A model's networks: a pipeline has a de-identifier, which reads text where it is alone. */
export type PublishedNetworks =
  | { readonly representation: Representation; readonly deidentifier?: PublishedDeidentifier }
  | { readonly representation?: undefined; readonly deidentifier: PublishedDeidentifier };

interface PublishedDeidentifier {
  readonly config: DeidentifierConfig;
  readonly parameters: Parameters;
}

/**
 * The fields of a bundle's manifest and its weights, for `createBundle`. Throws `not-certified` where
 * no manifest can state the noise or what f reads, no encoder bound it or no pool check it, or where casing would have
 * to be shared in clear; `bundle-invalid` where a manifest cannot state what the publisher says.
 */
export function describeBundle(
  { representation, deidentifier }: PublishedNetworks,
  { name, version, scheme, embeddings, embeddingsName, training, scores }: Publication,
): { fields: ManifestFields; weights: NamedArrays } {
  requirePublishable(representation?.config, deidentifier?.config);
  const fields = parseManifestFields({
    name,
    version,
    kind: deidentifier ? 'pipeline' : 'representation',
    tokenisation: TOKENISATION,
    labelScheme: statedScheme(scheme),
    embeddings: {
      identity: embeddings.identity,
      dimension: embeddings.dimension,
      name: embeddingsName,
    },
    architecture: {
      ...(representation && { representation: representation.config }),
      ...(deidentifier && { deidentifier: deidentifier.config }),
    },
    training,
    ...(representation && { noise: noiseOf(representation) }),
    scores,
  } satisfies ManifestFields);
  const weights = joinParts({
    ...(representation && { representation: representation.parameters.toArrays() }),
    ...(deidentifier && { deidentifier: deidentifier.parameters.toArrays() }),
  });
  return { fields, weights };
}

function requirePublishable(
  representation: RepresentationConfig | undefined,
  deidentifier: DeidentifierConfig | undefined,
): void {
  const why = representation && whyUnpublishable(representation);
  if (why !== undefined)
    throw new TacetError(
      'not-certified',
      `not certified: a bundle cannot hold this representation: ${why}; train with representation.noise 'constant', ` +
        "representation.form 'unit-length' and representation.unitInputs false",
    );
  if (representation && deidentifier?.casingInClear)
    throw new TacetError(
      'not-certified',
      'not certified: a pipeline cannot hold this de-identifier: it reads the casing of each token beside its vector, ' +
        'which no release holds; train with deidentifier.casingInClear false',
    );
}
