import type { Catalog } from '../catalog/catalog.js';
import { type RawBuilder, sql } from '../catalog/kysely.js';
import { countOf, type Extent, type Listing } from '../catalog/listing.js';
import { byIndex, joinInOrder } from '../catalog/sql-dialect.js';
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

/** Of rows that are grouped by contribution, whose own columns are one value in each group. */
const HELD_COLUMNS = sql`held.contribution, min(institution) AS institution,
  min(received) AS received, min(withdrawn) AS withdrawn, min(copies) AS copies,
  count(*) AS segments, sum(segments.sentences) AS sentences, sum(segments.tokens) AS tokens`;

/** The contributions that snapshots hold, a page at a time. */
export class SnapshotHoldings {
  constructor(
    private readonly catalog: Catalog,
    private readonly snapshots: Snapshots,
  ) {}

  /** The contributions of a snapshot, by their ids. */
  async held(id: string, { offset, limit }: Extent): Promise<Listing<Held>> {
    const from = sql`FROM snapshot_contributions WHERE snapshot = ${id}`;
    const rows = await this.#held(
      id,
      sql`SELECT contribution ${from} ORDER BY contribution LIMIT ${limit} OFFSET ${offset}`,
      sql`held.contribution`,
    );
    return { rows, total: await countOf(this.catalog.read, from) };
  }

  /** What of a snapshot was withdrawn since, the newest first, at most `limit`. */
  async withdrawnFrom(id: string, limit: number): Promise<Listing<Held>> {
    const { read } = this.catalog;
    const from = sql`FROM contributions ${joinInOrder(read)} snapshot_contributions AS held
      ON held.snapshot = ${id} AND held.contribution = contributions.id WHERE withdrawn IS NOT NULL`;
    const rows = await this.#held(
      id,
      sql`SELECT contributions.id ${from} ORDER BY withdrawn DESC LIMIT ${limit}`,
      sql`min(withdrawn) DESC, held.contribution`,
    );
    return { rows, total: await countOf(read, from) };
  }

  /** Contributions of the second snapshot that the first does not hold, by their ids. */
  async added(first: string, second: string, { offset, limit }: Extent): Promise<Listing<Held>> {
    for (const id of [first, second]) await this.snapshots.requireKnown(id);
    const from = sql`FROM snapshot_contributions WHERE snapshot = ${second} AND NOT EXISTS (
      SELECT 1 FROM snapshot_contributions AS other WHERE other.snapshot = ${first}
      AND other.contribution = snapshot_contributions.contribution)`;
    const rows = await this.#held(
      second,
      sql`SELECT contribution ${from} ORDER BY contribution LIMIT ${limit} OFFSET ${offset}`,
      sql`held.contribution`,
    );
    return { rows, total: await countOf(this.catalog.read, from) };
  }

  /** By institution and copies, the fewest copies first. */
  async sharesOf(id: string): Promise<Share[]> {
    const { rows } = await sql<Share>`
      SELECT institution, copies, count(*) AS contributions, count(withdrawn) AS withdrawn,
        sum(sentences) AS sentences, sum(tokens) AS tokens
      FROM (SELECT ${HELD_COLUMNS} FROM ${this.#joined()}
        WHERE held.snapshot = ${id} GROUP BY held.contribution) AS shares
      GROUP BY copies, institution ORDER BY copies, sum(sentences) DESC, institution`.execute(
      this.catalog.read,
    );
    return rows;
  }

  async #held(
    id: string,
    contributions: RawBuilder<unknown>,
    order: RawBuilder<unknown>,
  ): Promise<Held[]> {
    const { rows } = await sql<Held>`
      SELECT ${HELD_COLUMNS} FROM ${this.#joined()}
      WHERE held.snapshot = ${id} AND held.contribution IN (${contributions})
      GROUP BY held.contribution ORDER BY ${order}`.execute(this.catalog.read);
    return rows;
  }

  /** In this order, by indices that hold all that is read: rows lie far apart, and envelopes between them. */
  #joined(): RawBuilder<unknown> {
    const { read } = this.catalog;
    const join = joinInOrder(read);
    return sql`snapshot_contributions AS held
      ${join} contributions ${byIndex(read, 'contributions_by_id')}
        ON contributions.id = held.contribution
      ${join} segments ON segments.contribution = held.contribution`;
  }
}
