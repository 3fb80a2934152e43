import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { TacetError } from '../proto/errors.js';
import { keptTypesIn, keptTypesText, unionOf } from '../proto/kept-types.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import { atMost, isBehind, type ListedPart, type ListPart, partOf } from './listing.js';
import type {
  Provenance,
  Snapshot,
  SnapshotDiff,
  SnapshotFilter,
  SnapshotPart,
} from './snapshot.js';
import { byIndex, joinInOrder, rowsOf } from './sql-dialect.js';

/** By what two indices hold, for the rows themselves are long: of a million segments they are gigabytes. */
function withSegments(statements: Statements): RawBuilder<unknown> {
  return sql`${joinInOrder(statements)}
    segments ${byIndex(statements, 'segments_by_contribution')} ON segments.contribution = contributions.id`;
}

function contributionsOf(statements: Statements): RawBuilder<unknown> {
  return sql`contributions ${byIndex(statements, 'contributions_by_id')}`;
}

export class Snapshots {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Freezes what the pool holds now; the same segments give the same snapshot. Throws `not-found`
   * where nothing matches, `conflict` where more than one model, scheme or element type does.
   */
  create(filter: SnapshotFilter = {}): Promise<Snapshot> {
    return this.catalog.write(async (transaction) => {
      const allowed = filter.keptTypes && (await listsWithin(transaction, filter.keptTypes));
      const taken = sql`FROM ${contributionsOf(transaction)} ${withSegments(transaction)}
        WHERE ${conditionOf(transaction, filter, allowed)}`;
      const sums = await uniformSums(transaction, taken);
      const { rows } = await sql<{ digest: string }>`
        SELECT segments.digest ${taken} ORDER BY segments.digest`.execute(transaction);
      const id = snapshotId(rows.map(({ digest }) => digest));
      if (!(await exists(transaction, id))) await this.#insert(transaction, { id, sums, taken });
      return this.get(id, transaction);
    });
  }

  /** Throws `not-found`. */
  get(id: string, statements: Statements = this.catalog.read): Promise<Snapshot> {
    return snapshotOf(statements, id);
  }

  /**
   * As `getReadable`, with those sentences alone whose contributions were made with `copies` of each note.
   * Throws `not-found` where there are none.
   */
  async partOf(id: string, copies: number): Promise<Snapshot> {
    await this.getReadable(id);
    return snapshotOf(this.catalog.read, id, copies);
  }

  /** As `get`, and throws `withdrawn` where it cannot be read any more. */
  async getReadable(id: string, statements: Statements = this.catalog.read): Promise<Snapshot> {
    const snapshot = await this.get(id, statements);
    if (!snapshot.withdrawn) return snapshot;
    throw new TacetError(
      'withdrawn',
      `snapshot ${id} holds a withdrawn contribution; create a new snapshot`,
    );
  }

  /** The contributions that a snapshot holds, oldest first. Throws `not-found`. */
  async provenanceOf(id: string): Promise<Provenance[]> {
    const { segments } = await this.get(id);
    return this.#provenance(segments);
  }

  /** What the second snapshot holds and the first does not, and the reverse. Throws `not-found`. */
  async diff(first: string, second: string): Promise<SnapshotDiff> {
    const { segments: before } = await this.get(first);
    const { segments: after } = await this.get(second);
    const without = (all: readonly string[], others: readonly string[]) => {
      const known = new Set(others);
      return this.#provenance(all.filter((digest) => !known.has(digest)));
    };
    return { added: await without(after, before), removed: await without(before, after) };
  }

  /** All of them, oldest first. */
  async list(): Promise<readonly Snapshot[]> {
    return (await this.part({}, Number.POSITIVE_INFINITY)).rows;
  }

  /**
   * Oldest first, so many that they hold no more than `segments` together, for each names all of its own; one at
   * least, where there is one.
   */
  async part({ after, limit }: ListPart, segments: number): Promise<ListedPart<Snapshot>> {
    const ids = await partOf({ after, limit }, async (part) => {
      const { rows } = await sql<{ id: string; segments: number }>`
        SELECT id, segments FROM snapshots WHERE ${isBehind(part.after, 'created', 'id')}
        ORDER BY created, id ${atMost(part.limit)}`.execute(this.catalog.read);
      return rows;
    });
    const snapshots: Snapshot[] = [];
    let held = 0;
    for (const row of ids.rows) {
      held += row.segments;
      if (held > segments && snapshots.length > 0) return { rows: snapshots, isMore: true };
      snapshots.push(await this.get(row.id));
    }
    return { rows: snapshots, isMore: ids.isMore };
  }

  /** Throws `not-found`. */
  async requireKnown(id: string, statements: Statements = this.catalog.read): Promise<void> {
    if (!(await exists(statements, id)))
      throw new TacetError('not-found', `there is no snapshot ${id}`);
  }

  async #provenance(segments: readonly string[]): Promise<Provenance[]> {
    type Row = Omit<Provenance, 'segments' | 'keptTypes'> & { segments: string; keptTypes: string };
    const { read } = this.catalog;
    const { rows } = await sql<Row>`
      SELECT contributions.id AS contribution, institution, key_id AS "keyId", received, withdrawn,
        copies, contributions.kept_types AS "keptTypes", string_agg(segments.digest, ',') AS segments
      FROM ${rowsOf(read, segments)} AS held JOIN segments ON segments.digest = held.value
      JOIN contributions ON contributions.id = segments.contribution
      GROUP BY contributions.id ORDER BY received, contributions.id`.execute(read);
    return rows.map((row) => ({
      ...row,
      keptTypes: keptTypesIn(row.keptTypes),
      segments: row.segments.split(',').sort(),
    }));
  }

  /** By statements alone: of a million segments no more than their digests comes here. */
  async #insert(
    transaction: CatalogTransaction,
    { id, sums, taken }: { id: string; sums: SnapshotSums; taken: RawBuilder<unknown> },
  ): Promise<void> {
    const { rows: kept } = await sql<{ list: string }>`
      SELECT DISTINCT contributions.kept_types AS list ${taken}`.execute(transaction);
    const keptTypes = keptTypesText(unionOf(kept.map(({ list }) => list)));
    await transaction
      .insertInto('snapshots')
      .values({ id, created: now(), ...sums, kept_types: keptTypes })
      .execute();
    await sql`
      INSERT INTO snapshot_segments (snapshot, position, segment)
      SELECT CAST(${id} AS TEXT), row_number() OVER (ORDER BY segments.digest) - 1, segments.digest
      ${taken} ORDER BY segments.digest`.execute(transaction);
    await sql`
      INSERT INTO snapshot_contributions (snapshot, contribution)
      SELECT DISTINCT CAST(${id} AS TEXT), contributions.id ${taken}
      ORDER BY contributions.id`.execute(transaction);
    await this.log.append(transaction, 'snapshot-created', id, { segments: sums.segments });
  }
}

/** Of all segments together. */
interface SnapshotSums {
  readonly segments: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
}

type Header = Pick<Snapshot, (typeof UNIFORM)[number] | 'labelCount' | 'created'>;
type Sums = Omit<SnapshotPart, 'keptTypes'> & {
  readonly bytes: number;
  readonly withdrawn: number;
};

/** Of the contributions alone that were made with so many copies, where that is said. */
async function snapshotOf(statements: Statements, id: string, copies?: number): Promise<Snapshot> {
  // Whatever a snapshot takes of a contribution is all of it, for one contribution has one model, scheme and treatment.
  const held = sql`
    FROM snapshot_contributions ${joinInOrder(statements)} ${contributionsOf(statements)}
      ON contributions.id = snapshot_contributions.contribution ${withSegments(statements)}
    WHERE snapshot = ${id} ${copies === undefined ? sql`` : sql`AND copies = ${copies}`}`;
  const { rows: headers } = await sql<Header>`
    SELECT segments.model AS "modelDigest", segments.label_scheme AS "labelSchemeDigest",
      segments.label_count AS "labelCount", segments.entities, segments.dimension,
      segments.element_type AS "elementType",
      (SELECT created FROM snapshots WHERE id = ${id}) AS created
    ${held} LIMIT 1`.execute(statements);
  const header = headers[0];
  if (!header)
    throw new TacetError('not-found', `there is no snapshot ${id}, or no such part of it`);
  const { rows: sums } = await sql<Sums>`
    SELECT copies, sum(segments.sentences) AS "sentenceCount", sum(segments.tokens) AS tokens,
      sum(segments.bytes) AS bytes, count(withdrawn) AS withdrawn
    ${held} GROUP BY copies ORDER BY copies`.execute(statements);
  const { rows: kept } = await sql<{ copies: number; list: string }>`
    SELECT DISTINCT copies, contributions.kept_types AS list ${held}`.execute(statements);
  const keptIn = (lists: typeof kept) => unionOf(lists.map(({ list }) => list));
  const { rows: institutions } = await sql<{ institution: string }>`
    SELECT DISTINCT institution ${held}`.execute(statements);
  const { rows: digests } = await sql<{ digest: string }>`
    SELECT segments.digest ${held} ORDER BY segments.digest`.execute(statements);
  return {
    id,
    ...header,
    keptTypes: keptIn(kept),
    sentenceCount: sum(sums, 'sentenceCount'),
    tokens: sum(sums, 'tokens'),
    bytes: sum(sums, 'bytes'),
    institutions: institutions.map(({ institution }) => institution).sort(),
    parts: sums.map(({ copies: of, sentenceCount, tokens }) => ({
      ...{ copies: of, keptTypes: keptIn(kept.filter((each) => each.copies === of)) },
      ...{ sentenceCount, tokens },
    })),
    segments: digests.map(({ digest }) => digest),
    withdrawn: sum(sums, 'withdrawn') > 0,
  };
}

async function exists(statements: Statements, id: string): Promise<boolean> {
  const found = await statements
    .selectFrom('snapshots')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Of the lists of kept types that there are, those that name no other than these. */
async function listsWithin(
  statements: Statements,
  allowed: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ list: string }>`
    SELECT DISTINCT kept_types AS list FROM ${contributionsOf(statements)}`.execute(statements);
  const isWithin = (list: string) => keptTypesIn(list).every((type) => allowed.includes(type));
  return rows.map(({ list }) => list).filter(isWithin);
}

/** `keptLists`: of contributions, the lists of kept types that may be taken; any without it. */
function conditionOf(
  statements: Statements,
  filter: SnapshotFilter,
  keptLists?: readonly string[],
): RawBuilder<unknown> {
  const { model, labelScheme, entities, institutions, from, until } = filter;
  const conditions = [
    sql`withdrawn IS NULL`,
    ...(model === undefined ? [] : [sql`segments.model = ${model}`]),
    ...(labelScheme === undefined ? [] : [sql`segments.label_scheme = ${labelScheme}`]),
    ...(entities === undefined ? [] : [sql`segments.entities = ${entities}`]),
    ...(keptLists === undefined
      ? []
      : [
          sql`segments.entities = 'replaced'`,
          sql`contributions.kept_types IN (SELECT value FROM ${rowsOf(statements, keptLists)} AS lists)`,
        ]),
    ...(institutions === undefined
      ? []
      : [sql`institution IN (SELECT value FROM ${rowsOf(statements, institutions)} AS named)`]),
    ...(from === undefined ? [] : [sql`received >= ${momentOf(from)}`]),
    ...(until === undefined ? [] : [sql`received < ${momentOf(until)}`]),
  ];
  return sql.join(conditions, sql` AND `);
}

/** In the form of `received`, so that texts compare as times do. */
function momentOf(time: string): string {
  return new Date(time).toISOString();
}

type Uniform = Pick<Snapshot, (typeof UNIFORM)[number]>;

/** Throws `not-found` where nothing was taken, `conflict` where it is of more than one model, scheme or element type. */
async function uniformSums(
  statements: Statements,
  taken: RawBuilder<unknown>,
): Promise<SnapshotSums> {
  const { rows } = await sql<Uniform & SnapshotSums>`
    SELECT segments.model AS "modelDigest", segments.label_scheme AS "labelSchemeDigest",
      segments.entities, segments.element_type AS "elementType", segments.dimension,
      count(*) AS segments, sum(segments.sentences) AS sentences, sum(segments.tokens) AS tokens,
      sum(segments.bytes) AS bytes
    ${taken}
    GROUP BY segments.model, segments.label_scheme, segments.entities, segments.element_type,
      segments.dimension`.execute(statements);
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

const UNIFORM = [
  'modelDigest',
  'labelSchemeDigest',
  'entities',
  'elementType',
  'dimension',
] as const;

/** Of a snapshot of these segments, sorted. */
export function snapshotId(segments: readonly string[]): string {
  // Line by line: of millions the text would be longer than a string can be.
  const hash = createHash('sha256').update('tacet-snapshot-1\n');
  for (const segment of segments) hash.update(`${segment}\n`);
  return hash.digest('hex');
}

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
