import { ENTITY_TREATMENTS } from '../../proto/entity-treatment.js';
import { KEPT_TYPES, keptTypesIn } from '../../proto/kept-types.js';
import { DIGEST, NAME, NATURAL, TIME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { sql } from '../catalog/kysely.js';

export const CONTRIBUTION = closedObject(
  {
    /** SHA-256 of the signed payload. */
    id: DIGEST,
    institution: NAME,
    keyId: DIGEST,
    model: DIGEST,
    labelScheme: DIGEST,
    entities: oneOf(ENTITY_TREATMENTS),
    /** SHA-256 of the inventory that replaced entities, in hex. */
    inventory: nullable(DIGEST),
    /** Types whose entities were kept where the others were replaced: they are under the certified limit alone. */
    keptTypes: KEPT_TYPES,
    /** How often each note was replaced, each time by other entities; 1 where it does not say so. */
    copies: NATURAL,
    received: TIME,
    withdrawn: nullable(TIME),
    segments: NATURAL,
    sentences: NATURAL,
    tokens: NATURAL,
    bytes: NATURAL,
    /** Whether segments of format 1 are among them, which give the casing of every token away. */
    casingInClear: Type.Boolean(),
  },
  { title: 'Contribution' },
);

/** What an institution gave at one time. */
export type Contribution = TypeOf<typeof CONTRIBUTION>;

/** As the catalog gives it. */
export type ContributionRow = Omit<Contribution, 'casingInClear' | 'keptTypes'> & {
  readonly keptTypes: string;
  readonly casingInClear: 0 | 1;
};

export function contributionOf(row: ContributionRow): Contribution {
  const keptTypes = keptTypesIn(row.keptTypes);
  return { ...row, keptTypes, casingInClear: row.casingInClear === 1 };
}

/** Every contribution with the sums over its segments, to be grouped by its id. */
export const CONTRIBUTIONS = sql`
  SELECT contributions.id, institution, key_id AS "keyId", contributions.model,
    contributions.label_scheme AS "labelScheme", contributions.entities, inventory, copies,
    contributions.kept_types AS "keptTypes", received, withdrawn,
    count(*) AS segments, sum(sentences) AS sentences, sum(tokens) AS tokens, sum(bytes) AS bytes,
    CASE WHEN min(segments.format) = 1 THEN 1 ELSE 0 END AS "casingInClear"
  FROM contributions JOIN segments ON segments.contribution = contributions.id`;
