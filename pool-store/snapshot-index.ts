import type { EntityTreatment } from '../proto/entity-treatment.js';
import { TacetError } from '../proto/errors.js';
import type { Catalog } from './catalog.js';
import { countOf, type Extent, type Listing } from './listing.js';

/** What a snapshot adds up to, without the list of its segments. */
export interface SnapshotSummary {
  readonly id: string;
  readonly created: string;
  readonly model: string;
  readonly labelScheme: string;
  readonly labelCount: number;
  readonly entities: EntityTreatment;
  readonly dimension: number;
  readonly elementType: string;
  readonly segments: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
  /** Whether a contribution in it was withdrawn since; then it cannot be read any more. */
  readonly withdrawn: boolean;
}

const SUMMARIES = `
  SELECT snapshots.id, created, first.model, first.label_scheme AS labelScheme,
    first.label_count AS labelCount, first.entities, first.dimension,
    first.element_type AS elementType,
    snapshots.segments, snapshots.sentences, snapshots.tokens, snapshots.bytes,
    EXISTS (SELECT 1 FROM contributions JOIN snapshot_contributions AS held
      ON held.snapshot = snapshots.id AND held.contribution = contributions.id
      WHERE withdrawn IS NOT NULL) AS withdrawn
  FROM snapshots
    JOIN snapshot_segments ON snapshot_segments.snapshot = snapshots.id AND position = 0
    JOIN segments AS first ON first.digest = snapshot_segments.segment`;

type SummaryRow = Omit<SnapshotSummary, 'withdrawn'> & { readonly withdrawn: 0 | 1 };

/** Lists of snapshots that read no more than they show, however much those hold. */
export class SnapshotIndex {
  constructor(private readonly catalog: Catalog) {}

  /** Newest first. */
  page({ offset, limit }: Extent): Listing<SnapshotSummary> {
    const rows = this.catalog
      .all<SummaryRow>(
        `${SUMMARIES} ORDER BY created DESC, snapshots.id LIMIT ? OFFSET ?`,
        limit,
        offset,
      )
      .map(summaryOf);
    return { rows, total: countOf(this.catalog, 'FROM snapshots') };
  }

  /** Throws `not-found`. */
  get(id: string): SnapshotSummary {
    const row = this.catalog.get<SummaryRow>(`${SUMMARIES} WHERE snapshots.id = ?`, id);
    if (!row) throw new TacetError('not-found', `there is no snapshot ${id}`);
    return summaryOf(row);
  }
}

function summaryOf(row: SummaryRow): SnapshotSummary {
  return { ...row, withdrawn: row.withdrawn === 1 };
}
