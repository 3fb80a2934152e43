import { TacetError } from '../../proto/errors.js';
import { DIGEST, FINE_TIME, VERSION } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, constant, mapOf, ofType, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { CHARACTER_ENCODERS } from '../networks/character-config.js';
import { DEIDENTIFIER_NETWORKS } from '../networks/deidentifier-config.js';
import { NETWORK_MAXIMA } from '../networks/network-maxima.js';
import { hasDuplicateKeys } from './duplicate-keys.js';

/** Of a bundle's name. */
export const MOST_NAME_CHARACTERS = 63;
const LABEL = Type.String({ minLength: 1, maxLength: 100 });
const upTo = (maximum: number) => Type.Integer({ minimum: 1, maximum });
const SIZE = upTo(NETWORK_MAXIMA.size);
const RATE = Type.Number({ minimum: 0, exclusiveMaximum: 1 });
const STDDEV = Type.Number({ exclusiveMinimum: 0 });

const FACTS = mapOf(ofType('string', 'number', 'boolean'));
export type Facts = TypeOf<typeof FACTS>;

const NOISE_LEVEL = closedObject({
  mean: STDDEV,
  min: STDDEV,
  max: STDDEV,
  /** Σσ²: a unit vector with this noise added has a mean squared length of 1 + Σσ². */
  sumOfSquares: STDDEV,
});

/** Standard deviations over the dimensions, all above zero. */
export type NoiseLevel = TypeOf<typeof NOISE_LEVEL>;

const NOISE = closedObject({ inputStddev: NOISE_LEVEL, outputStddev: NOISE_LEVEL });
export type Noise = TypeOf<typeof NOISE>;

const LABEL_SCHEME = closedObject(
  {
    name: LABEL,
    version: LABEL,
    labels: Type.Array(LABEL, { minItems: 1, maxItems: 255, uniqueItems: true }),
    /** The rest of the scheme, see `LabelScheme`; older manifests have the name alone. */
    types: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_:.-]{1,64}$' }), {
        minItems: 1,
        maxItems: 127,
        uniqueItems: true,
      }),
    ),
    map: Type.Optional(
      mapOf(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 }), {
        maxProperties: 10_000,
        propertyNames: { minLength: 1, maxLength: 100 },
      }),
    ),
    /** Of `types`, those that may be kept, see `LabelScheme`; manifests without it are of the scheme that comes with Tacet. */
    describes: Type.Optional(Type.Array(LABEL, { maxItems: 127, uniqueItems: true })),
    /** SHA-256 of the scheme, in hex; segments carry it, too. */
    digest: DIGEST,
  },
  { dependencies: { types: ['map'], map: ['types'] } },
);

/** See `CharacterConfig`. */
const CHARACTERS = {
  characters: Type.Optional(Type.Enum([...CHARACTER_ENCODERS])),
  characterDimension: Type.Optional(SIZE),
  characterUnits: Type.Optional(SIZE),
};

/** See `RepresentationConfig`; what is published has one value of each setting in `PUBLISHED_ALONE`, and no field for it. */
const REPRESENTATION = closedObject({
  embeddingDimension: SIZE,
  casing: Type.Optional(Type.Boolean()),
  residual: Type.Optional(Type.Boolean()),
  units: SIZE,
  dimension: SIZE,
  initialInputStddev: STDDEV,
  initialOutputStddev: STDDEV,
  ...CHARACTERS,
});

/**
 * See `DeidentifierConfig`. A manifest without `network` is of a BiLSTM with a CRF; a program that knows no other
 * one refuses the field. One with `wordDimension` is never published.
 */
const DEIDENTIFIER = closedObject({
  network: Type.Optional(Type.Enum([...DEIDENTIFIER_NETWORKS])),
  inputDimension: SIZE,
  labels: SIZE,
  units: SIZE,
  layers: upTo(NETWORK_MAXIMA.layers),
  inputDropout: RATE,
  recurrentDropout: RATE,
  outputDropout: RATE,
  casing: Type.Optional(Type.Boolean()),
  ...CHARACTERS,
  wordDimension: Type.Optional(SIZE),
  heads: Type.Optional(upTo(NETWORK_MAXIMA.heads)),
  feedForward: Type.Optional(upTo(NETWORK_MAXIMA.feedForward)),
  reach: Type.Optional(SIZE),
  phiWeight: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
});

const FIELDS = {
  /** Lower case letters, digits and hyphens. */
  name: Type.String({ pattern: `^[a-z0-9][a-z0-9-]{0,${MOST_NAME_CHARACTERS - 1}}$` }),
  /** `major.minor.patch`. */
  version: VERSION,
  /** A pipeline holds a de-identifier, and the representation that it reads unless it reads the text. */
  kind: Type.Enum(['representation', 'pipeline']),
  tokenisation: LABEL,
  labelScheme: LABEL_SCHEME,
  embeddings: closedObject({
    /** SHA-256 of the embeddings file, in hex. */
    identity: DIGEST,
    dimension: SIZE,
    /** For people: which embeddings to look for. */
    name: Type.String({ minLength: 1, maxLength: 200 }),
  }),
  architecture: closedObject(
    {
      /** Absent where the de-identifier reads the word vectors themselves. */
      representation: Type.Optional(REPRESENTATION),
      deidentifier: Type.Optional(DEIDENTIFIER),
    },
    { minProperties: 1 },
  ),
  /**
   * The training data statement. What is published states an `objective`, a `seed`, the `corpus` by
   * name or the `snapshot` of a pool by id, and how many `documents` or `sentences` those were.
   */
  training: FACTS,
  /** Of the representation. */
  noise: Type.Optional(NOISE),
  /** What its publisher measured, with intervals as `statedScore` writes them; published, not empty. */
  scores: mapOf(Type.Number()),
};

const architectureWith = (part: 'representation' | 'deidentifier') => ({
  properties: { architecture: { type: 'object', required: [part] } },
});
const RULES = {
  allOf: [
    {
      if: { required: ['kind'], properties: { kind: constant('pipeline') } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: architectureWith('deidentifier'),
      else: architectureWith('representation'),
    },
    {
      if: { required: ['architecture'], ...architectureWith('representation') },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['noise'] },
      else: { not: { required: ['noise'] } },
    },
  ],
};

const MANIFEST_FIELDS = closedObject(FIELDS, RULES);
export type ManifestFields = TypeOf<typeof MANIFEST_FIELDS>;

const MANIFEST = closedObject(
  {
    ...FIELDS,
    /** ISO 8601, UTC. */
    created: FINE_TIME,
    /** SHA-256 in hex of every file but the manifest and the signature, by name. */
    files: mapOf(DIGEST, {
      minProperties: 1,
      maxProperties: 64,
      required: ['weights.safetensors', 'MODEL_CARD.md'],
      propertyNames: { pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$' },
    }),
  },
  RULES,
);

/** What a bundle says about itself: `manifest.json`. */
export type Manifest = TypeOf<typeof MANIFEST>;

/** What the JSON of `manifest.json` says; throws `bundle-invalid`, naming the field. */
export const parseManifest = validator(MANIFEST, 'bundle-invalid', 'manifest.json');

const validFields = validator(MANIFEST_FIELDS, 'bundle-invalid', 'the facts of the bundle');

/** Settings that have one value in all that is published. */
const PUBLISHED_ALONE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  representation: { noise: 'constant', form: 'unit-length', unitInputs: false },
  deidentifier: { casingInClear: false },
};

/**
 * What a publisher states, without settings that are stated though they have their only value; throws `bundle-invalid`,
 * naming the field.
 */
export function parseManifestFields(stated: unknown): ManifestFields {
  return validFields(withoutPublishedAlone(stated));
}

function withoutPublishedAlone(stated: unknown): unknown {
  if (!isObject(stated) || !isObject(stated.architecture)) return stated;
  const parts = Object.entries(stated.architecture).map(([name, part]) => {
    const alone = PUBLISHED_ALONE[name] ?? {};
    if (!isObject(part)) return [name, part];
    const others = Object.entries(part).filter(
      ([key, value]) => !(key in alone) || value !== alone[key],
    );
    return [name, Object.fromEntries(others)];
  });
  return { ...stated, architecture: Object.fromEntries(parts) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The bytes of `manifest.json`; a bundle's digest is their SHA-256. */
export function writeManifest(manifest: Manifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(parseManifest(manifest), null, 2)}\n`);
}

/** Throws `bundle-invalid`, naming the field. */
export function readManifest(bytes: Uint8Array): Manifest {
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new TacetError('bundle-invalid', 'manifest.json: expected a JSON object in UTF-8');
  }
  if (hasDuplicateKeys(text))
    throw new TacetError('bundle-invalid', 'manifest.json: a key is there twice');
  return parseManifest(value);
}

/** `stddev` [D], the standard deviations of one noise layer. */
export function noiseLevel(stddev: Float32Array): NoiseLevel {
  const values = Array.from(stddev);
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    sumOfSquares: values.reduce((sum, value) => sum + value * value, 0),
  };
}
