import type { ElementType } from '../proto/element.js';
import type { EntityTreatment } from '../proto/entity-treatment.js';
import type { SegmentFormat } from '../proto/segment-frame.js';
import type { NormRange } from './sentence-statistics.js';

/** A segment as the catalog knows it. */
export interface SegmentRecord {
  readonly digest: string;
  /** The contribution it belongs to; null while it is only uploaded. */
  readonly contribution: string | null;
  readonly modelDigest: string;
  readonly labelSchemeDigest: string;
  readonly labelCount: number;
  readonly entities: EntityTreatment;
  readonly format: SegmentFormat;
  readonly dimension: number;
  readonly elementType: ElementType;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
  readonly meanSquareNorm: number;
  readonly norms: readonly NormRange[];
  /** Where the vectors of a sample of its sentences lie in its bytes. */
  readonly probes: readonly number[];
}

/** As the catalog gives it. */
export type SegmentRow = Omit<SegmentRecord, 'norms' | 'probes'> & {
  readonly norms: string;
  readonly probes: string;
};

export function segmentOf(row: SegmentRow): SegmentRecord {
  return { ...row, norms: JSON.parse(row.norms), probes: JSON.parse(row.probes) };
}

/** The columns of `segments` under the names of `SegmentRecord`. */
export const SEGMENT_COLUMNS = `segments.digest, segments.contribution,
  segments.model AS modelDigest, segments.label_scheme AS labelSchemeDigest,
  segments.label_count AS labelCount, segments.entities, segments.format,
  segments.dimension, segments.element_type AS elementType,
  segments.sentences, segments.tokens, segments.bytes,
  segments.mean_square_norm AS meanSquareNorm, segments.norms, segments.probes`;
