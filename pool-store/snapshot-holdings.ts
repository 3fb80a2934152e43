import type { Catalog } from './catalog.js';
import { countOf, type Extent, type Listing } from './listing.js';
import type { Snapshots } from './snapshots.js';

/** A contribution of a snapshot, with what the snapshot holds of it: all of it. */
export interface Held {
  readonly contribution: string;
  readonly institution: string;
  readonly received: string;
  readonly withdrawn: string | null;
  readonly copies: number;
  readonly segments: number;
  readonly sentences: number;
  readonly tokens: number;
}

/** What an institution has in a snapshot of contributions with as many copies of each note. */
export interface Share {
  readonly institution: string;
  readonly copies: number;
  readonly contributions: number;
  readonly withdrawn: number;
  readonly sentences: number;
  readonly tokens: number;
}

/** In this order, by indices that hold all that is read: rows lie far apart, and envelopes between them. */
const HELD = `
  snapshot_contributions AS held
  CROSS JOIN contributions INDEXED BY contributions_by_id ON contributions.id = held.contribution
  CROSS JOIN segments ON segments.contribution = held.contribution`;

const HELD_COLUMNS = `held.contribution, institution, received, withdrawn, copies,
  count(*) AS segments, sum(segments.sentences) AS sentences, sum(segments.tokens) AS tokens`;

/** The contributions that snapshots hold, a page at a time. */
export class SnapshotHoldings {
  constructor(
    private readonly catalog: Catalog,
    private readonly snapshots: Snapshots,
  ) {}

  /** The contributions of a snapshot, by their ids. */
  held(id: string, { offset, limit }: Extent): Listing<Held> {
    const rows = this.catalog.all<Held>(
      `SELECT ${HELD_COLUMNS} FROM ${HELD} WHERE held.contribution IN (
         SELECT contribution FROM snapshot_contributions
         WHERE snapshot = @id ORDER BY contribution LIMIT @limit OFFSET @offset)
       AND held.snapshot = @id GROUP BY held.contribution ORDER BY held.contribution`,
      { id, limit, offset },
    );
    const total = countOf(this.catalog, 'FROM snapshot_contributions WHERE snapshot = ?', id);
    return { rows, total };
  }

  /** What of a snapshot was withdrawn since, the newest first, at most `limit`. */
  withdrawnFrom(id: string, limit: number): Listing<Held> {
    const from = `FROM contributions CROSS JOIN snapshot_contributions AS held
      ON held.snapshot = ? AND held.contribution = contributions.id WHERE withdrawn IS NOT NULL`;
    const rows = this.catalog.all<Held>(
      `SELECT ${HELD_COLUMNS} FROM ${HELD} WHERE held.snapshot = @id AND held.contribution IN (
         SELECT contributions.id ${from.replace('?', '@id')} ORDER BY withdrawn DESC LIMIT @limit)
       GROUP BY held.contribution ORDER BY withdrawn DESC, held.contribution`,
      { id, limit },
    );
    return { rows, total: countOf(this.catalog, from, id) };
  }

  /** Contributions of the second snapshot that the first does not hold, by their ids. */
  added(first: string, second: string, { offset, limit }: Extent): Listing<Held> {
    for (const id of [first, second]) this.snapshots.requireKnown(id);
    const from = `FROM snapshot_contributions WHERE snapshot = @second AND NOT EXISTS (
      SELECT 1 FROM snapshot_contributions AS other WHERE other.snapshot = @first
      AND other.contribution = snapshot_contributions.contribution)`;
    const rows = this.catalog.all<Held>(
      `SELECT ${HELD_COLUMNS} FROM ${HELD} WHERE held.snapshot = @second AND held.contribution IN (
         SELECT contribution ${from} ORDER BY contribution LIMIT @limit OFFSET @offset)
       GROUP BY held.contribution ORDER BY held.contribution`,
      { first, second, limit, offset },
    );
    return { rows, total: countOf(this.catalog, from, { first, second }) };
  }

  /** By institution and copies, the fewest copies first. */
  sharesOf(id: string): Share[] {
    return this.catalog.all<Share>(
      `SELECT institution, copies, count(*) AS contributions, count(withdrawn) AS withdrawn,
         sum(sentences) AS sentences, sum(tokens) AS tokens
       FROM (SELECT ${HELD_COLUMNS} FROM ${HELD} WHERE held.snapshot = ? GROUP BY held.contribution)
       GROUP BY copies, institution ORDER BY copies, sum(sentences) DESC, institution`,
      id,
    );
  }
}
