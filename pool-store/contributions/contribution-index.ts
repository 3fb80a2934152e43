import { NATURAL } from '../../proto/schemas.js';
import { closedObject, type TypeOf } from '../../proto/typed-schema.js';
import type { Catalog } from '../catalog/catalog.js';
import { type RawBuilder, sql } from '../catalog/kysely.js';
import { countOf, type Extent, type Listing } from '../catalog/listing.js';
import { joinInOrder } from '../catalog/sql-dialect.js';
import {
  CONTRIBUTIONS,
  type Contribution,
  type ContributionRow,
  contributionOf,
} from './contribution-records.js';

/** Which contributions are listed; all of them where nothing is said. */
export interface ContributionFilter {
  readonly institution?: string | undefined;
  readonly model?: string | undefined;
  readonly state?: 'kept' | 'withdrawn' | undefined;
}

export const CONTRIBUTION_TOTALS = closedObject(
  {
    /** Kept ones alone, as everything below. */
    contributions: NATURAL,
    withdrawn: NATURAL,
    institutions: NATURAL,
    models: NATURAL,
    segments: NATURAL,
    sentences: NATURAL,
    tokens: NATURAL,
    bytes: NATURAL,
  },
  { title: 'ContributionTotals' },
);

/** What the contributions of a pool, or of an institution, add up to. */
export type ContributionTotals = TypeOf<typeof CONTRIBUTION_TOTALS>;

type Sums = Pick<ContributionTotals, 'segments' | 'sentences' | 'tokens' | 'bytes'>;

const SUMS = sql`count(segments.digest) AS segments, coalesce(sum(sentences), 0) AS sentences,
  coalesce(sum(tokens), 0) AS tokens, coalesce(sum(bytes), 0) AS bytes`;

/** Lists and sums of contributions that read no more than they show, however many there are. */
export class ContributionIndex {
  constructor(private readonly catalog: Catalog) {}

  /** Newest first. */
  async page(
    filter: ContributionFilter,
    { offset, limit }: Extent,
  ): Promise<Listing<Contribution>> {
    const { read } = this.catalog;
    const from = sql`FROM contributions WHERE ${conditionOf(filter)}`;
    const { rows } = await sql<ContributionRow>`${CONTRIBUTIONS}
      WHERE contributions.id IN (
        SELECT id ${from} ORDER BY received DESC, id LIMIT ${limit} OFFSET ${offset})
      GROUP BY contributions.id ORDER BY received DESC, contributions.id`.execute(read);
    return { rows: rows.map(contributionOf), total: await countOf(read, from) };
  }

  /** Of all, or of one institution. */
  async totals(institution?: string): Promise<ContributionTotals> {
    const { read } = this.catalog;
    const from = sql`FROM contributions WHERE ${conditionOf({ institution })}`;
    const kept = sql`${from} AND withdrawn IS NULL`;
    const found = await sql<Pick<ContributionTotals, 'contributions' | 'withdrawn'>>`
      SELECT count(*) - count(withdrawn) AS contributions, count(withdrawn) AS withdrawn
      ${from}`.execute(read);
    const distinct = (column: string) =>
      countOf(read, sql`FROM (SELECT DISTINCT ${sql.ref(column)} ${kept}) AS chosen`);
    return {
      ...(found.rows[0] ?? { contributions: 0, withdrawn: 0 }),
      institutions: await distinct('institution'),
      models: await distinct('contributions.model'),
      ...(await (institution === undefined ? this.#sumsOfAll() : this.#sums(kept))),
    };
  }

  /**
   * Few are withdrawn: what they have is taken off what all have, which is read in one go. And read last, for
   * what is withdrawn meanwhile stays among all.
   */
  async #sumsOfAll(): Promise<Sums> {
    const gone = await this.#sums(sql`FROM contributions WHERE withdrawn IS NOT NULL`);
    const { rows } = await sql<Sums>`
      SELECT ${SUMS} FROM segments WHERE contribution IS NOT NULL`.execute(this.catalog.read);
    const all = rows[0] as Sums;
    return {
      segments: all.segments - gone.segments,
      sentences: all.sentences - gone.sentences,
      tokens: all.tokens - gone.tokens,
      bytes: all.bytes - gone.bytes,
    };
  }

  async #sums(from: RawBuilder<unknown>): Promise<Sums> {
    const { read } = this.catalog;
    const { rows } = await sql<Sums>`
      SELECT ${SUMS} FROM (SELECT id ${from}) AS chosen
      ${joinInOrder(read)} segments ON segments.contribution = chosen.id`.execute(read);
    return rows[0] as Sums;
  }

  /** Digests of the models that contributions were made with, at most `limit`. */
  async models(institution: string | undefined, limit: number): Promise<string[]> {
    const { rows } = await sql<{ model: string }>`
      SELECT DISTINCT model FROM contributions WHERE ${conditionOf({ institution })}
      ORDER BY model LIMIT ${limit}`.execute(this.catalog.read);
    return rows.map(({ model }) => model);
  }
}

/** Only what is asked for is compared, so that the index of just that is used. */
function conditionOf({ institution, model, state }: ContributionFilter): RawBuilder<unknown> {
  const conditions = [
    institution !== undefined && sql`institution = ${institution}`,
    model !== undefined && sql`contributions.model = ${model}`,
    state === 'kept' && sql`withdrawn IS NULL`,
    state === 'withdrawn' && sql`withdrawn IS NOT NULL`,
  ].filter((condition) => condition !== false);
  return conditions.length === 0 ? sql`TRUE` : sql.join(conditions, sql` AND `);
}
