import { readFile } from 'node:fs/promises';
import { hasDuplicateKeys } from '../../../models/bundle/duplicate-keys.js';
import { ENTITY_TREATMENTS, type EntityTreatment } from '../../../proto/entity-treatment.js';
import { TacetError } from '../../../proto/errors.js';
import { requireJson } from '../../../proto/json-text.js';
import { DIGEST } from '../../../proto/schemas.js';
import { validator } from '../../../proto/validator.js';
import { SUSPECT_TREATMENTS, type SuspectTreatment } from '../release/second-reader.js';

/** What an institution's security officer allows: `policy.json`. */
export interface PolicyFile {
  /** Files with the public keys of the publishers it trusts, beside the policy. */
  readonly publisherKeys: readonly string[];
  /** Whether one of the publisher keys must have signed a model, as by default, or each of them. */
  readonly signedBy?: 'any' | 'all';
  /** Refuses a model where no registry can be asked whether it was revoked. */
  readonly requireRevocationCheck?: boolean;
  /** Without it, a model needs no audit. */
  readonly audit?: {
    /** Files with the public keys of the auditors it trusts, beside the policy. */
    readonly auditorKeys: readonly string[];
    /** The most that any attack may get right at telling pairs apart, upper end of its interval. */
    readonly maxAttackSuccess?: number;
    /** The most that the audit's certified bound may be, upper end of its interval. */
    readonly maxCertifiedBound?: number;
    /** The fewest candidates of a moved word, by default the policy's `neighbours`. */
    readonly minNeighbours?: number;
    /** The fewest notes that attacks were measured on, 20 by default. */
    readonly minTestDocuments?: number;
  };
  /** How often one sentence may be released, under whatever models. */
  readonly maxReleases: number;
  /** Whether labelled entities are replaced before they are encoded, as by default, or kept. */
  readonly entities?: EntityTreatment;
  /** How many sentences may be released that are alike but for their replaced entities. */
  readonly maxAlike?: number;
  /** How often a note may leave, each time with other entities; 1 by default. Each counts as a release. */
  readonly maxCopies?: number;
  /** What becomes of what a second reader finds outside the labels; it must be named (`--reader`) then. */
  readonly suspects?: SuspectTreatment;
  /** SHA-256 in hex of the only inventory that may replace entities; by default the model's own. */
  readonly inventory?: string;
  /**
   * Where entities are kept: of 19 in 20 PHI entities of each type that leaves, no adversary may be right more often by the
   * vectors. Entities of which what is missing may tell too are not held to it: the report counts them as
   * wide open. Without it nothing is certified.
   */
  readonly certifiedLimit?: number;
  /** N, the candidates of a moved word in the certified bound. */
  readonly neighbours?: number;
  /** In how many released sentences one entity may be, over all jobs. */
  readonly maxSentencesPerEntity?: number;
  /** The fewest documents of a job. */
  readonly minDocuments: number;
  /** Id of the only ledger, as encoding prints it: in another one all would count as new. */
  readonly ledger?: string;
  /** Name or file of the only label scheme. */
  readonly labelScheme?: string;
}

const SHARE = { type: 'number', exclusiveMinimum: 0.5, maximum: 1 } as const;
const COUNT = { type: 'integer', minimum: 1, maximum: 1_000_000 } as const;
const FILES = { type: 'array', minItems: 1, maxItems: 64, items: { type: 'string', minLength: 1 } };

const parsePolicy = validator<PolicyFile>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['publisherKeys', 'maxReleases', 'minDocuments'],
    dependencies: { maxSentencesPerEntity: ['certifiedLimit'] },
    properties: {
      publisherKeys: FILES,
      signedBy: { type: 'string', enum: ['any', 'all'] },
      requireRevocationCheck: { type: 'boolean' },
      audit: {
        type: 'object',
        additionalProperties: false,
        required: ['auditorKeys'],
        properties: {
          auditorKeys: FILES,
          maxAttackSuccess: { type: 'number', minimum: 0, maximum: 1 },
          maxCertifiedBound: SHARE,
          minNeighbours: { ...COUNT, minimum: 2 },
          minTestDocuments: COUNT,
        },
      },
      maxReleases: COUNT,
      entities: { type: 'string', enum: ENTITY_TREATMENTS },
      maxAlike: COUNT,
      maxCopies: COUNT,
      suspects: { type: 'string', enum: SUSPECT_TREATMENTS },
      inventory: DIGEST,
      certifiedLimit: SHARE,
      neighbours: { ...COUNT, minimum: 2 },
      maxSentencesPerEntity: COUNT,
      minDocuments: COUNT,
      ledger: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      labelScheme: { type: 'string', minLength: 1 },
    },
  },
  'config-invalid',
  'the policy',
);

type Schema = { readonly properties: Readonly<Record<string, Partial<Schema>>> };

/** What a policy's file says. Throws `file-not-found` or `config-invalid`. */
export async function readPolicyFile(file: string): Promise<PolicyFile> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TacetError('file-not-found', `${file}: no such policy file`);
  });
  const policy = parse(file, text);
  requireKeptEntities(file, policy);
  return policy;
}

/** What limits entities speaks of entities that are kept: of one that is replaced, nothing leaves. */
function requireKeptEntities(file: string, { entities, certifiedLimit }: PolicyFile): void {
  if (certifiedLimit === undefined || entities === 'kept') return;
  throw new TacetError(
    'config-invalid',
    `${file}: certifiedLimit is about entities that are kept; add "entities": "kept", or leave it out, ` +
      'and entities are replaced before they are encoded, so that nothing tells of them',
  );
}

function parse(file: string, text: string): PolicyFile {
  const value = jsonOf(file, text);
  const schema = parsePolicy.schema as Schema;
  const unknown = unknownKeys(value, schema);
  if (unknown.length > 0) {
    const known = Object.keys(schema.properties).join(', ');
    throw new TacetError(
      'config-invalid',
      `${file}: unknown keys: ${unknown.join(', ')}; expected some of ${known}`,
    );
  }
  try {
    return parsePolicy(value);
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
    throw new TacetError(error.code, `${file}: ${error.message}`, { cause: error });
  }
}

/** All that the schema does not know: of a misspelt key it would only say that the right one is missing. */
function unknownKeys(value: unknown, { properties }: Schema, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!known) return [`${path}${key}`];
    const { properties: own } = known;
    return own ? unknownKeys(inner, { properties: own }, `${path}${key}.`) : [];
  });
}

function jsonOf(file: string, text: string): unknown {
  const value = requireJson(text, 'config-invalid', `${file}: expected JSON`);
  if (hasDuplicateKeys(text))
    throw new TacetError('config-invalid', `${file}: a key is there twice`);
  return value;
}
