import { readFileSync } from 'node:fs';
import { TacetError } from '../../proto/errors.js';
import { validator } from '../../proto/validator.js';
import type { DeidentifierConfig } from '../networks/deidentifier.js';
import type { RepresentationConfig } from '../networks/representation.js';
import { hasDuplicateKeys } from './duplicate-keys.js';

/** What a bundle says about itself: `manifest.json`, checked against `manifest.schema.json`. */
export interface Manifest {
  /** Lower case letters, digits and hyphens. */
  readonly name: string;
  /** `major.minor.patch`. */
  readonly version: string;
  /** A pipeline holds a de-identifier, and the representation that it reads unless it reads the text. */
  readonly kind: 'representation' | 'pipeline';
  readonly tokenisation: string;
  readonly labelScheme: {
    readonly name: string;
    readonly version: string;
    readonly labels: readonly string[];
    /** The rest of the scheme, see `LabelScheme`; older manifests have the name alone. */
    readonly types?: readonly string[];
    readonly map?: Readonly<Record<string, string | null>>;
    /** SHA-256 of the scheme, in hex; segments carry it, too. */
    readonly digest: string;
  };
  readonly embeddings: {
    /** SHA-256 of the embeddings file, in hex. */
    readonly identity: string;
    readonly dimension: number;
    /** For people: which embeddings to look for. */
    readonly name: string;
  };
  readonly architecture: {
    /** Absent where the de-identifier reads the word vectors themselves. */
    readonly representation?: RepresentationConfig;
    readonly deidentifier?: DeidentifierConfig;
  };
  /**
   * The training data statement. What is published states an `objective`, a `seed`, the `corpus` by
   * name or the `snapshot` of a pool by id, and how many `documents` or `sentences` those were.
   */
  readonly training: Facts;
  /** Of the representation. */
  readonly noise?: Noise;
  /** What its publisher measured, with intervals as `statedScore` writes them; published, not empty. */
  readonly scores: Readonly<Record<string, number>>;
  /** ISO 8601, UTC. */
  readonly created: string;
  /** SHA-256 in hex of every file but the manifest and the signature, by name. */
  readonly files: Readonly<Record<string, string>>;
}

export type ManifestFields = Omit<Manifest, 'files' | 'created'>;

export type Facts = Readonly<Record<string, string | number | boolean>>;

export interface Noise {
  readonly inputStddev: NoiseLevel;
  readonly outputStddev: NoiseLevel;
}

/** Standard deviations over the dimensions, all above zero. */
export interface NoiseLevel {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** Σσ²: a unit vector with this noise added has a mean squared length of 1 + Σσ². */
  readonly sumOfSquares: number;
}

const schema = JSON.parse(readFileSync(new URL('./manifest.schema.json', import.meta.url), 'utf8'));
const checkManifest = validator<Manifest>(schema, 'bundle-invalid', 'manifest.json');

const { files: _files, created: _created, ...fieldProperties } = schema.properties;

/** What a publisher states; throws `bundle-invalid`, naming the field. */
export const parseManifestFields = validator<ManifestFields>(
  {
    ...schema,
    required: schema.required.filter((name: string) => name !== 'files' && name !== 'created'),
    properties: fieldProperties,
  },
  'bundle-invalid',
  'the facts of the bundle',
);

/** The bytes of `manifest.json`; a bundle's digest is their SHA-256. */
export function writeManifest(manifest: Manifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(checkManifest(manifest), null, 2)}\n`);
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
  return checkManifest(value);
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
