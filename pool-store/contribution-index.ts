import { NATURAL } from '../proto/schemas.js';
import { closedObject, type TypeOf } from '../proto/typed-schema.js';
import type { Catalog } from './catalog.js';
import {
  CONTRIBUTIONS,
  type Contribution,
  type ContributionRow,
  contributionOf,
} from './contributions.js';
import { countOf, type Extent, type Listing } from './listing.js';

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

const SUMS = `count(segments.digest) AS segments, coalesce(sum(sentences), 0) AS sentences,
  coalesce(sum(tokens), 0) AS tokens, coalesce(sum(bytes), 0) AS bytes`;

/** Lists and sums of contributions that read no more than they show, however many there are. */
export class ContributionIndex {
  constructor(private readonly catalog: Catalog) {}

  /** Newest first. */
  page(filter: ContributionFilter, { offset, limit }: Extent): Listing<Contribution> {
    const { conditions, parameters } = conditionsOf(filter);
    const from = `FROM contributions WHERE ${conditions}`;
    const rows = this.catalog
      .all<ContributionRow>(
        `${CONTRIBUTIONS}
         WHERE contributions.id IN (
           SELECT id ${from} ORDER BY received DESC, id LIMIT @limit OFFSET @offset)
         GROUP BY contributions.id ORDER BY received DESC, contributions.id`,
        { ...parameters, limit, offset },
      )
      .map(contributionOf);
    return { rows, total: countOf(this.catalog, from, parameters) };
  }

  /** Of all, or of one institution. */
  totals(institution?: string): ContributionTotals {
    const { conditions, parameters } = conditionsOf({ institution });
    const from = `FROM contributions WHERE ${conditions}`;
    const kept = `${from} AND withdrawn IS NULL`;
    const { contributions, withdrawn } = this.catalog.get<ContributionTotals>(
      `SELECT count(*) - count(withdrawn) AS contributions, count(withdrawn) AS withdrawn ${from}`,
      parameters,
    ) as ContributionTotals;
    const distinct = (column: string) =>
      countOf(this.catalog, `FROM (SELECT DISTINCT ${column} ${kept})`, parameters);
    return {
      ...{ contributions, withdrawn },
      ...{ institutions: distinct('institution'), models: distinct('contributions.model') },
      ...(institution === undefined ? this.#sumsOfAll() : this.#sums(kept, parameters)),
    };
  }

  /** Few are withdrawn: what they have is taken off what all have, which is read in one go. */
  #sumsOfAll(): Sums {
    const all = this.catalog.get<Sums>(
      `SELECT ${SUMS} FROM segments WHERE contribution IS NOT NULL`,
    ) as Sums;
    const gone = this.#sums('FROM contributions WHERE withdrawn IS NOT NULL');
    return {
      segments: all.segments - gone.segments,
      sentences: all.sentences - gone.sentences,
      tokens: all.tokens - gone.tokens,
      bytes: all.bytes - gone.bytes,
    };
  }

  #sums(from: string, parameters: Readonly<Record<string, string>> = {}): Sums {
    return this.catalog.get<Sums>(
      `SELECT ${SUMS} FROM (SELECT id ${from}) AS chosen
       CROSS JOIN segments ON segments.contribution = chosen.id`,
      parameters,
    ) as Sums;
  }

  /** Digests of the models that contributions were made with, at most `limit`. */
  models(institution: string | undefined, limit: number): string[] {
    const { conditions, parameters } = conditionsOf({ institution });
    return this.catalog
      .all<{ model: string }>(
        `SELECT DISTINCT model FROM contributions WHERE ${conditions} ORDER BY model LIMIT @limit`,
        { ...parameters, limit },
      )
      .map(({ model }) => model);
  }
}

/** Only what is asked for is compared, so that the index of just that is used. */
function conditionsOf({ institution, model, state }: ContributionFilter) {
  const conditions = [
    institution !== undefined && 'institution = @institution',
    model !== undefined && 'contributions.model = @model',
    state !== undefined && `withdrawn IS ${state === 'kept' ? 'NULL' : 'NOT NULL'}`,
  ].filter((condition) => condition !== false);
  const parameters = {
    ...(institution !== undefined && { institution }),
    ...(model !== undefined && { model }),
  };
  return { conditions: conditions.join(' AND ') || 'TRUE', parameters };
}
