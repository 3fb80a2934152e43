import type { EntityTreatment } from '../../proto/entity-treatment.js';
import { TacetError } from '../../proto/errors.js';
import { keptTypesIn } from '../../proto/kept-types.js';
import type { Catalog } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import { countOf, type Extent, type Listing } from '../catalog/listing.js';

/** What a snapshot adds up to, without the list of its segments. */
export interface SnapshotSummary {
  readonly id: string;
  readonly created: string;
  readonly model: string;
  readonly labelScheme: string;
  readonly labelCount: number;
  readonly entities: EntityTreatment;
  /** As of `Snapshot`. */
  readonly keptTypes: readonly string[];
  readonly dimension: number;
  readonly elementType: string;
  readonly segments: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
  /** Whether a contribution in it was withdrawn since; then it cannot be read any more. */
  readonly withdrawn: boolean;
}

const SUMMARIES = sql`
  SELECT snapshots.id, created, first.model, first.label_scheme AS "labelScheme",
    first.label_count AS "labelCount", first.entities, first.dimension,
    snapshots.kept_types AS "keptTypes",
    first.element_type AS "elementType",
    snapshots.segments, snapshots.sentences, snapshots.tokens, snapshots.bytes,
    CASE WHEN EXISTS (SELECT 1 FROM contributions JOIN snapshot_contributions AS held
      ON held.snapshot = snapshots.id AND held.contribution = contributions.id
      WHERE withdrawn IS NOT NULL) THEN 1 ELSE 0 END AS withdrawn
  FROM snapshots
    JOIN snapshot_segments ON snapshot_segments.snapshot = snapshots.id AND position = 0
    JOIN segments AS first ON first.digest = snapshot_segments.segment`;

type SummaryRow = Omit<SnapshotSummary, 'withdrawn' | 'keptTypes'> & {
  readonly keptTypes: string;
  readonly withdrawn: 0 | 1;
};

/** Lists of snapshots that read no more than they show, however much those hold. */
export class SnapshotIndex {
  constructor(private readonly catalog: Catalog) {}

  /** Newest first. */
  async page({ offset, limit }: Extent): Promise<Listing<SnapshotSummary>> {
    const { read } = this.catalog;
    const { rows } = await sql<SummaryRow>`${SUMMARIES}
      ORDER BY created DESC, snapshots.id LIMIT ${limit} OFFSET ${offset}`.execute(read);
    return { rows: rows.map(summaryOf), total: await countOf(read, sql`FROM snapshots`) };
  }

  /** Throws `not-found`. */
  async get(id: string): Promise<SnapshotSummary> {
    const { rows } = await sql<SummaryRow>`${SUMMARIES} WHERE snapshots.id = ${id}`.execute(
      this.catalog.read,
    );
    if (!rows[0]) throw new TacetError('not-found', `there is no snapshot ${id}`);
    return summaryOf(rows[0]);
  }
}

function summaryOf(row: SummaryRow): SnapshotSummary {
  return { ...row, keptTypes: keptTypesIn(row.keptTypes), withdrawn: row.withdrawn === 1 };
}
