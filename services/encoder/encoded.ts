import { ENTITY_TREATMENTS } from '../../proto/entity-treatment.js';
import { KEPT_TYPES } from '../../proto/kept-types.js';
import { DIGEST, NATURAL } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, mapOf, nullable, oneOf } from '../../proto/typed-schema.js';

const BOUND_SUMMARY = closedObject(
  {
    count: NATURAL,
    median: Type.Number(),
    percentile95: Type.Number(),
    percentile99: Type.Number(),
    maximum: Type.Number(),
    over: NATURAL,
  },
  { title: 'BoundSummary' },
);
const BEFORE_AND_AFTER = closedObject({ before: BOUND_SUMMARY, after: BOUND_SUMMARY });

/** `EncodeReport` as it is answered: segments are counted, and documents that could not be read are left out. */
export const ENCODED = closedObject(
  {
    ledger: Type.String(),
    documents: NATURAL,
    inexact: NATURAL,
    sentences: NATURAL,
    portions: NATURAL,
    entityTreatment: oneOf(ENTITY_TREATMENTS),
    keptTypes: KEPT_TYPES,
    kept: NATURAL,
    asText: mapOf(NATURAL),
    replaced: nullable(NATURAL),
    inventory: nullable(DIGEST),
    copies: NATURAL,
    suspects: nullable(
      closedObject({
        treatment: Type.String(),
        byType: mapOf(NATURAL),
        sentences: NATURAL,
      }),
    ),
    alike: NATURAL,
    labelDocuments: NATURAL,
    uncommon: NATURAL,
    releasable: NATURAL,
    withheld: NATURAL,
    rest: NATURAL,
    entities: nullable(NATURAL),
    immovable: nullable(NATURAL),
    bounds: nullable(
      closedObject({
        limit: Type.Number(),
        withheldTypes: Type.Array(Type.String()),
        told: NATURAL,
        entities: BEFORE_AND_AFTER,
        documents: BEFORE_AND_AFTER,
      }),
    ),
    released: NATURAL,
    pieces: NATURAL,
    redrawn: NATURAL,
    skipped: NATURAL,
    tokens: NATURAL,
    segments: NATURAL,
    bytes: NATURAL,
  },
  { title: 'Encoded' },
);
