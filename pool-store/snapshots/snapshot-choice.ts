import { setImmediate as giveWay } from 'node:timers/promises';
import { TacetError } from '../../proto/errors.js';
import { keptTypesIn, unionOf } from '../../proto/kept-types.js';
import type { Catalog, Statements } from '../catalog/catalog.js';
import { type RawBuilder, sql } from '../catalog/kysely.js';
import { byIndex, joinInOrder, rowsOf } from '../catalog/sql-dialect.js';
import type { ChangeLog } from '../log/change-log.js';
import type { Snapshot, SnapshotFilter } from './snapshot.js';
import { snapshotHash } from './snapshot-id.js';

/** Contributions that are looked at together: what comes of them is there before others wait for it. */
const PAGE = 10_000;

/** What a new snapshot is to hold. */
export interface SnapshotChoice {
  /** That of the snapshot. */
  readonly id: string;
  /** Where the log of the catalog ended that it was chosen from. */
  readonly sequence: number;
  /** Digests in their order. */
  readonly segments: readonly string[];
  /** By their ids, in their order. */
  readonly contributions: readonly string[];
  readonly sums: SnapshotSums;
  /** Of all contributions. */
  readonly keptTypes: readonly string[];
}

/** Of all segments together. */
export interface SnapshotSums {
  readonly segments: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
}

/**
 * Chooses what a catalog holds at one moment, while others go on writing, and in pages, so that this process does
 * other work meanwhile. Throws `not-found` where nothing matches, `conflict` where more than one model, scheme or
 * element type does, `request-invalid` for a time that does not exist.
 */
export async function chooseSegments(
  catalog: Catalog,
  log: ChangeLog,
  filter: SnapshotFilter,
  page = PAGE,
): Promise<SnapshotChoice> {
  const chosen = new Chosen();
  const sequence = await catalog.readMoment(async (moment) => {
    const { sequence } = await log.head(moment);
    const condition = await conditionOf(moment, filter);
    for await (const window of windowsOf(moment, page)) {
      const taken = sql`FROM ${contributionsOf(moment)} ${withSegments(moment)}
        WHERE ${window} AND ${condition}`;
      await chosen.add(moment, taken);
      await giveWay();
    }
    return sequence;
  });
  const sums = chosen.uniformSums();
  const { contributions, keptLists } = chosen;
  const keptTypes = unionOf([...keptLists]);
  return { ...(await chosen.sealed()), sequence, contributions, sums, keptTypes };
}

/** By what two indices hold, for the rows themselves are long: of a million segments they are gigabytes. */
export function withSegments(statements: Statements): RawBuilder<unknown> {
  return sql`${joinInOrder(statements)}
    segments ${byIndex(statements, 'segments_by_contribution')} ON segments.contribution = contributions.id`;
}

export function contributionsOf(statements: Statements): RawBuilder<unknown> {
  return sql`contributions ${byIndex(statements, 'contributions_by_id')}`;
}

/** Spans of the ids of contributions that have so many of them each, as conditions. */
async function* windowsOf(moment: Statements, page: number): AsyncGenerator<RawBuilder<unknown>> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      SELECT id FROM ${contributionsOf(moment)} WHERE id > ${last}
      ORDER BY id LIMIT 1 OFFSET ${page - 1}`.execute(moment);
    const end: string | undefined = rows[0]?.id;
    const isWithin = end === undefined ? sql`TRUE` : sql`contributions.id <= ${end}`;
    yield sql`contributions.id > ${last} AND ${isWithin}`;
    last = end;
  }
}

const UNIFORM = [
  'modelDigest',
  'labelSchemeDigest',
  'entities',
  'elementType',
  'dimension',
] as const;

type Uniform = Pick<Snapshot, (typeof UNIFORM)[number]>;

class Chosen {
  readonly contributions: string[] = [];
  readonly keptLists = new Set<string>();
  /** Whatever `UNIFORM` names, by its values. */
  readonly #sums = new Map<string, Uniform & SnapshotSums>();
  /** By their first byte, so that no one sorting takes long. */
  readonly #segments = new Map<string, string[]>();

  /** `taken`: from contributions and their segments. */
  async add(moment: Statements, taken: RawBuilder<unknown>): Promise<void> {
    const { rows: sums } = await sql<Uniform & SnapshotSums & { list: string }>`
      SELECT segments.model AS "modelDigest", segments.label_scheme AS "labelSchemeDigest",
        segments.entities, segments.element_type AS "elementType", segments.dimension,
        contributions.kept_types AS list, count(*) AS segments,
        sum(segments.sentences) AS sentences, sum(segments.tokens) AS tokens,
        sum(segments.bytes) AS bytes
      ${taken}
      GROUP BY segments.model, segments.label_scheme, segments.entities, segments.element_type,
        segments.dimension, contributions.kept_types`.execute(moment);
    for (const { list, ...row } of sums) {
      this.keptLists.add(list);
      this.#sum(row);
    }
    const { rows } = await sql<{ contribution: string; digest: string }>`
      SELECT contributions.id AS contribution, segments.digest ${taken}
      ORDER BY contributions.id`.execute(moment);
    for (const { contribution, digest } of rows) {
      if (this.contributions.at(-1) !== contribution) this.contributions.push(contribution);
      const first = digest.slice(0, 2);
      const alike = this.#segments.get(first);
      if (alike) alike.push(digest);
      else this.#segments.set(first, [digest]);
    }
  }

  /** Throws `not-found` where nothing was taken, `conflict` where it is of more than one model, scheme or element type. */
  uniformSums(): SnapshotSums {
    const rows = [...this.#sums.values()];
    const [first] = rows;
    if (!first) throw new TacetError('not-found', 'no contribution matches; nothing to freeze');
    for (const key of UNIFORM) {
      const values = new Set(rows.map((row) => row[key]));
      if (values.size === 1) continue;
      const found = [...values].sort().join(', ');
      throw new TacetError('conflict', `a snapshot has one ${key}; found ${found}: name one`);
    }
    const { segments, sentences, tokens, bytes } = first;
    return { segments, sentences, tokens, bytes };
  }

  /** All segments in order, and the id of a snapshot of them (`snapshotId`). */
  async sealed(): Promise<{ readonly id: string; readonly segments: string[] }> {
    const hash = snapshotHash();
    const segments: string[] = [];
    for (const first of [...this.#segments.keys()].sort()) {
      for (const digest of this.#segments.get(first)?.sort() ?? []) {
        segments.push(digest);
        hash.update(`${digest}\n`);
      }
      await giveWay();
    }
    return { id: hash.digest('hex'), segments };
  }

  #sum(row: Uniform & SnapshotSums): void {
    const key = UNIFORM.map((name) => row[name]).join(' ');
    const before = this.#sums.get(key);
    this.#sums.set(key, {
      ...row,
      segments: row.segments + (before?.segments ?? 0),
      sentences: row.sentences + (before?.sentences ?? 0),
      tokens: row.tokens + (before?.tokens ?? 0),
      bytes: row.bytes + (before?.bytes ?? 0),
    });
  }
}

async function conditionOf(
  moment: Statements,
  filter: SnapshotFilter,
): Promise<RawBuilder<unknown>> {
  const { model, labelScheme, entities, keptTypes, institutions, from, until } = filter;
  const keptLists = keptTypes && (await listsWithin(moment, keptTypes));
  const conditions = [
    sql`withdrawn IS NULL`,
    ...(model === undefined ? [] : [sql`segments.model = ${model}`]),
    ...(labelScheme === undefined ? [] : [sql`segments.label_scheme = ${labelScheme}`]),
    ...(entities === undefined ? [] : [sql`segments.entities = ${entities}`]),
    ...(keptLists === undefined
      ? []
      : [
          sql`segments.entities = 'replaced'`,
          sql`contributions.kept_types IN (SELECT value FROM ${rowsOf(moment, keptLists)} AS lists)`,
        ]),
    ...(institutions === undefined
      ? []
      : [sql`institution IN (SELECT value FROM ${rowsOf(moment, institutions)} AS named)`]),
    ...(from === undefined ? [] : [sql`received >= ${momentOf('from', from)}`]),
    ...(until === undefined ? [] : [sql`received < ${momentOf('until', until)}`]),
  ];
  return sql.join(conditions, sql` AND `);
}

/** Of the lists of kept types that there are, those that name no other than these. */
async function listsWithin(
  moment: Statements,
  allowed: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ list: string }>`
    SELECT DISTINCT kept_types AS list FROM ${contributionsOf(moment)}`.execute(moment);
  const isWithin = (list: string) => keptTypesIn(list).every((type) => allowed.includes(type));
  return rows.map(({ list }) => list).filter(isWithin);
}

/** In the form of `received`, so that texts compare as times do. Throws `request-invalid` where no calendar has it. */
function momentOf(field: 'from' | 'until', time: string): string {
  const date = new Date(time);
  const isTime = !Number.isNaN(date.getTime());
  // What no month has `Date` takes for a day of the next one.
  if (isTime && date.toISOString().startsWith(time.slice(0, 19))) return date.toISOString();
  throw new TacetError(
    'request-invalid',
    `the snapshot: ${field} must be a day and an hour that there are, as in 2026-01-31T00:00:00Z`,
  );
}
