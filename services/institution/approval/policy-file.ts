import { readFile } from 'node:fs/promises';
import { hasDuplicateKeys } from '../../../models/bundle/duplicate-keys.js';
import { ENTITY_TREATMENTS } from '../../../proto/entity-treatment.js';
import { TacetError } from '../../../proto/errors.js';
import { requireJson } from '../../../proto/json-text.js';
import { KEPT_TYPES } from '../../../proto/kept-types.js';
import { DIGEST, SHARE } from '../../../proto/schemas.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, oneOf, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import { SUSPECT_TREATMENTS } from '../release/suspects/second-reader.js';

const LIMIT = Type.Number({ exclusiveMinimum: 0.5, maximum: 1 });
const COUNT = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const NEIGHBOURS = Type.Integer({ minimum: 2, maximum: 1_000_000 });
const FILES = Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 64 });

const POLICY_FILE = closedObject(
  {
    /** Files with the public keys of the publishers it trusts, beside the policy. */
    publisherKeys: FILES,
    /** Whether one of the publisher keys must have signed a model, as by default, or each of them. */
    signedBy: Type.Optional(oneOf(['any', 'all'])),
    /** Refuses a model where no registry can be asked whether it was revoked. */
    requireRevocationCheck: Type.Optional(Type.Boolean()),
    /** Without it, a model needs no audit. */
    audit: Type.Optional(
      closedObject({
        /** Files with the public keys of the auditors it trusts, beside the policy. */
        auditorKeys: FILES,
        /** The most that any attack may get right at telling pairs apart, upper end of its interval. */
        maxAttackSuccess: Type.Optional(SHARE),
        /** The most that the audit's certified bound may be, upper end of its interval. */
        maxCertifiedBound: Type.Optional(LIMIT),
        /** The fewest candidates of a moved word, by default the policy's `neighbours`. */
        minNeighbours: Type.Optional(NEIGHBOURS),
        /** The fewest notes that attacks were measured on, 20 by default. */
        minTestDocuments: Type.Optional(COUNT),
      }),
    ),
    /** How often one sentence may be released, under whatever models. */
    maxReleases: COUNT,
    /** Whether labelled entities are replaced before they are encoded, as by default, or kept. */
    entities: Type.Optional(oneOf(ENTITY_TREATMENTS)),
    /**
     * Types whose entities may be kept where the others are replaced (`encode --keep`): of those that the label
     * scheme of a model says describe. They leave under the certified limit alone; none by default.
     */
    keptTypes: Type.Optional(KEPT_TYPES),
    /** How many sentences may be released that are alike but for their replaced entities. */
    maxAlike: Type.Optional(COUNT),
    /**
     * Of how many notes of a job the labels of all that leaves are, at least: sentences whose labels are rarer are cut
     * once they are encoded. 10 by default where entities are replaced; 1 lets them leave whole.
     */
    labelDocuments: Type.Optional(COUNT),
    /** How often a note may leave, each time with other entities; 1 by default. Each counts as a release. */
    maxCopies: Type.Optional(COUNT),
    /** What becomes of what a second reader finds outside the labels; it must be named (`--reader`) then. */
    suspects: Type.Optional(oneOf(SUSPECT_TREATMENTS)),
    /** SHA-256 in hex of the only inventory that may replace entities; by default the model's own. */
    inventory: Type.Optional(DIGEST),
    /**
     * Where entities are kept, or those of a type: of 19 in 20 PHI entities of each type that leaves with a portion of a
     * job, among those that have a word that can move, no adversary may be right more often by the vectors. Entities of which what is missing may tell too are not held to it: the
     * report counts them as wide open. Without it nothing is certified.
     */
    certifiedLimit: Type.Optional(LIMIT),
    /** N, the candidates of a moved word in the certified bound. */
    neighbours: Type.Optional(NEIGHBOURS),
    /** In how many released sentences one entity may be, over all jobs. */
    maxSentencesPerEntity: Type.Optional(COUNT),
    /** The fewest documents of a job. */
    minDocuments: COUNT,
    /** Id of the only ledger, as encoding prints it: in another one all would count as new. */
    ledger: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$' })),
    /** Name or file of the only label scheme. */
    labelScheme: Type.Optional(Type.String({ minLength: 1 })),
  },
  { dependencies: { maxSentencesPerEntity: ['certifiedLimit'] } },
);

/** What an institution's security officer allows: `policy.json`. */
export type PolicyFile = TypeOf<typeof POLICY_FILE>;

const parsePolicy = validator(POLICY_FILE, 'config-invalid', 'the policy');

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
function requireKeptEntities(
  file: string,
  { entities, certifiedLimit, keptTypes = [] }: PolicyFile,
): void {
  if (keptTypes.length > 0 && entities === 'kept')
    throw new TacetError(
      'config-invalid',
      `${file}: keptTypes are exceptions where entities are replaced, and the policy says that all are kept; ` +
        'leave one of the two out',
    );
  if (keptTypes.length > 0 && certifiedLimit === undefined)
    throw new TacetError(
      'config-invalid',
      `${file}: keptTypes: entities that are kept can be attacked; add certifiedLimit, the most that a release ` +
        'may tell of one',
    );
  if (certifiedLimit === undefined || entities === 'kept' || keptTypes.length > 0) return;
  throw new TacetError(
    'config-invalid',
    `${file}: certifiedLimit is about entities that are kept; add "entities": "kept", or leave it out, ` +
      'and entities are replaced before they are encoded, so that what leaves does not depend on them',
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
