import { ELEMENT_TYPES } from '../../proto/element.js';
import { ENTITY_TREATMENTS } from '../../proto/entity-treatment.js';
import { KEPT_TYPES, keptTypesIn } from '../../proto/kept-types.js';
import { DIGEST, NATURAL } from '../../proto/schemas.js';
import { SEGMENT_FORMATS, type SegmentFormat } from '../../proto/segment-frame.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { sql } from '../catalog/kysely.js';
import { NORM_RANGE } from './sentence-statistics.js';

export const SEGMENT_RECORD = closedObject(
  {
    digest: DIGEST,
    /** The contribution it belongs to; null while it is only uploaded. */
    contribution: nullable(DIGEST),
    modelDigest: DIGEST,
    labelSchemeDigest: DIGEST,
    labelCount: NATURAL,
    entities: oneOf(ENTITY_TREATMENTS),
    keptTypes: KEPT_TYPES,
    format: Type.Unsafe<SegmentFormat>({ type: 'integer', enum: SEGMENT_FORMATS }),
    dimension: NATURAL,
    elementType: oneOf(ELEMENT_TYPES),
    sentences: NATURAL,
    tokens: NATURAL,
    bytes: NATURAL,
    meanSquareNorm: Type.Number(),
    norms: Type.Array(NORM_RANGE),
    /** Where the vectors of a sample of its sentences lie in its bytes. */
    probes: Type.Array(NATURAL),
  },
  { title: 'Segment' },
);

/** A segment as the catalog knows it. */
export type SegmentRecord = TypeOf<typeof SEGMENT_RECORD>;

/** As the catalog gives it. */
export type SegmentRow = Omit<SegmentRecord, 'norms' | 'probes' | 'keptTypes'> & {
  readonly keptTypes: string;
  readonly norms: string;
  readonly probes: string;
};

export function segmentOf(row: SegmentRow): SegmentRecord {
  return {
    ...row,
    keptTypes: keptTypesIn(row.keptTypes),
    norms: JSON.parse(row.norms),
    probes: JSON.parse(row.probes),
  };
}

/** The columns of `segments` under the names of `SegmentRecord`. */
export const SEGMENT_COLUMNS = sql`segments.digest, segments.contribution,
  segments.model AS "modelDigest", segments.label_scheme AS "labelSchemeDigest",
  segments.label_count AS "labelCount", segments.entities, segments.format,
  segments.kept_types AS "keptTypes",
  segments.dimension, segments.element_type AS "elementType",
  segments.sentences, segments.tokens, segments.bytes,
  segments.mean_square_norm AS "meanSquareNorm", segments.norms, segments.probes`;
