import type { Provenance, Snapshot } from '../../pool-store/snapshots/snapshot.js';
import { treatmentText } from '../../proto/entity-treatment.js';
import { Type } from '../../proto/typebox.js';
import { constant, mapOf, type TypeOf } from '../../proto/typed-schema.js';

const CONFORMS_TO = 'http://mlcommons.org/croissant/1.0';
const SEGMENT_TYPE = 'application/vnd.tacet.segment';

/** The terms of the standard's own context that this description uses. */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  dct: 'http://purl.org/dc/terms/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  fileProperty: 'cr:fileProperty',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
};

export const CROISSANT = Type.Object(
  {
    '@context': mapOf(Type.Unknown()),
    '@type': constant('sc:Dataset'),
    conformsTo: constant(CONFORMS_TO),
    name: Type.String(),
    description: Type.String(),
    url: Type.String(),
    license: Type.String(),
    creator: Type.Array(Type.Object({ '@type': Type.String(), name: Type.String() })),
    datePublished: Type.String(),
    version: Type.String(),
    citeAs: Type.String(),
    distribution: Type.Array(
      Type.Object({
        '@type': constant('cr:FileObject'),
        '@id': Type.String(),
        name: Type.String(),
        contentUrl: Type.String(),
        encodingFormat: Type.String(),
        sha256: Type.String(),
      }),
    ),
  },
  { title: 'Croissant' },
);

export type Croissant = TypeOf<typeof CROISSANT>;

/**
 * A snapshot in MLCommons' terms: its segments, each under its digest, and the terms under which institutions gave
 * them. Its addresses are relative to its own. How the vectors lie in a segment, Croissant has no words for.
 *
 * Source: https://docs.mlcommons.org/croissant/docs/croissant-spec.html
 */
export function croissantOf(
  snapshot: Snapshot,
  provenance: readonly Provenance[],
  terms: readonly string[],
): Croissant {
  const { id, created, sentenceCount, tokens, dimension, elementType, entities, keptTypes } =
    snapshot;
  const institutions = [...new Set(provenance.map(({ institution }) => institution))];
  const name = `tacet-snapshot-${id.slice(0, 16)}`;
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: CONFORMS_TO,
    name,
    description:
      `${sentenceCount} sentences (${tokens} tokens) as noisy vectors of ${dimension} ${elementType} numbers and ` +
      `labels, encoded with model ${snapshot.modelDigest}; labelled entities were ${treatmentText(entities, keptTypes)}`,
    url: `../${id}`,
    license: [...new Set(terms)].join('; '),
    creator: institutions.map((each) => ({ '@type': 'sc:Organization', name: each })),
    datePublished: created,
    version: '1.0.0',
    citeAs: `${name}, SHA-256 ${id}`,
    distribution: snapshot.segments.map((digest) => ({
      '@type': 'cr:FileObject',
      '@id': digest,
      name: digest,
      contentUrl: `../../blobs/${digest}`,
      encodingFormat: SEGMENT_TYPE,
      sha256: digest,
    })),
  };
}
