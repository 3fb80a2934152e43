import { sql } from 'kysely';
import { Type } from 'typebox';
import { sha256Hex } from '../proto/digest.js';
import { ENTITY_TREATMENTS } from '../proto/entity-treatment.js';
import { TacetError } from '../proto/errors.js';
import { DIGEST, NAME, NATURAL, TIME } from '../proto/schemas.js';
import { SEGMENT_HEADER } from '../proto/segment-header.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../proto/typed-schema.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import { SEGMENT_COLUMNS, type SegmentRow } from './segment-records.js';
import { rowsOf } from './sql-dialect.js';

export const SNAPSHOT_FILTER = closedObject({
  model: Type.Optional(DIGEST),
  labelScheme: Type.Optional(DIGEST),
  entities: Type.Optional(oneOf(ENTITY_TREATMENTS)),
  institutions: Type.Optional(Type.Array(NAME, { minItems: 1, maxItems: 1000 })),
  /** Received at this time or later, RFC 3339. */
  from: Type.Optional(TIME),
  /** Received before this time, RFC 3339. */
  until: Type.Optional(TIME),
});

/** Which contributions a new snapshot takes; all of them where nothing is said. */
export type SnapshotFilter = TypeOf<typeof SNAPSHOT_FILTER>;

export const PROVENANCE = closedObject(
  {
    contribution: DIGEST,
    institution: NAME,
    /** Whose signature the contribution carries. */
    keyId: DIGEST,
    received: TIME,
    withdrawn: nullable(TIME),
    /** As of `Contribution`. */
    copies: NATURAL,
    segments: Type.Array(DIGEST),
  },
  { title: 'Provenance' },
);

/** Where the segments of a snapshot come from. */
export type Provenance = TypeOf<typeof PROVENANCE>;

export const SNAPSHOT_PART = closedObject(
  {
    copies: NATURAL,
    sentenceCount: NATURAL,
    tokens: NATURAL,
  },
  { title: 'SnapshotPart' },
);

/** The sentences of a snapshot whose contributions were made with as many copies of each note. */
export type SnapshotPart = TypeOf<typeof SNAPSHOT_PART>;

export const SNAPSHOT_DIFF = closedObject(
  {
    /** Contributions with segments in the second snapshot alone. */
    added: Type.Array(PROVENANCE),
    /** Contributions with segments in the first snapshot alone. */
    removed: Type.Array(PROVENANCE),
  },
  { title: 'SnapshotDiff' },
);

export type SnapshotDiff = TypeOf<typeof SNAPSHOT_DIFF>;

export const SNAPSHOT = closedObject(
  {
    ...SEGMENT_HEADER,
    /** SHA-256 over the sorted digests of its segments. */
    id: DIGEST,
    created: TIME,
    tokens: NATURAL,
    bytes: NATURAL,
    institutions: Type.Array(NAME),
    /** By copies, the fewest first. */
    parts: Type.Array(SNAPSHOT_PART),
    /** Digests, sorted. */
    segments: Type.Array(DIGEST),
    /** Whether a contribution in it was withdrawn since; then it cannot be read any more. */
    withdrawn: Type.Boolean(),
  },
  { title: 'Snapshot' },
);

/** An immutable list of segments of one model, label scheme, treatment of entities and element type. */
export type Snapshot = TypeOf<typeof SNAPSHOT>;

type Member = SegmentRow & {
  readonly institution: string;
  readonly copies: number;
  readonly withdrawn: string | null;
};

const MEMBERS = sql`
  SELECT ${SEGMENT_COLUMNS}, institution, copies, withdrawn
  FROM segments JOIN contributions ON contributions.id = segments.contribution`;

/** Rows that are written at a time: each takes three values at most, of which a statement has a limit. */
const ROWS = 500;

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
      const members = await matching(transaction, filter);
      checkUniform(members);
      const id = snapshotId(members.map(({ digest }) => digest));
      if (!(await exists(transaction, id))) await this.#insert(transaction, id, members);
      return this.get(id, transaction);
    });
  }

  /** Throws `not-found`. */
  get(id: string, statements: Statements = this.catalog.read): Promise<Snapshot> {
    return snapshotOf(statements, id, () => true);
  }

  /**
   * As `getReadable`, with those sentences alone whose contributions were made with `copies` of each note.
   * Throws `not-found` where there are none.
   */
  async partOf(id: string, copies: number): Promise<Snapshot> {
    await this.getReadable(id);
    return snapshotOf(this.catalog.read, id, (member) => member.copies === copies);
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

  async list(): Promise<Snapshot[]> {
    const rows = await this.catalog.read
      .selectFrom('snapshots')
      .select('id')
      .orderBy('created')
      .orderBy('id')
      .execute();
    const snapshots: Snapshot[] = [];
    for (const { id } of rows) snapshots.push(await this.get(id));
    return snapshots;
  }

  /** Throws `not-found`. */
  async requireKnown(id: string, statements: Statements = this.catalog.read): Promise<void> {
    if (!(await exists(statements, id)))
      throw new TacetError('not-found', `there is no snapshot ${id}`);
  }

  async #provenance(segments: readonly string[]): Promise<Provenance[]> {
    type Row = Omit<Provenance, 'segments'> & { segments: string };
    const { read } = this.catalog;
    const { rows } = await sql<Row>`
      SELECT contributions.id AS contribution, institution, key_id AS "keyId", received, withdrawn,
        copies, string_agg(segments.digest, ',') AS segments
      FROM ${rowsOf(read, segments)} AS held JOIN segments ON segments.digest = held.value
      JOIN contributions ON contributions.id = segments.contribution
      GROUP BY contributions.id ORDER BY received, contributions.id`.execute(read);
    return rows.map((row) => ({ ...row, segments: row.segments.split(',').sort() }));
  }

  async #insert(
    transaction: CatalogTransaction,
    id: string,
    members: readonly Member[],
  ): Promise<void> {
    await transaction
      .insertInto('snapshots')
      .values({
        id,
        created: now(),
        segments: members.length,
        sentences: sum(members, 'sentences'),
        tokens: sum(members, 'tokens'),
        bytes: sum(members, 'bytes'),
      })
      .execute();
    for (let start = 0; start < members.length; start += ROWS) {
      const rows = members
        .slice(start, start + ROWS)
        .map(({ digest }, index) => ({ snapshot: id, position: start + index, segment: digest }));
      await transaction.insertInto('snapshot_segments').values(rows).execute();
    }
    const contributions = [...new Set(members.map(({ contribution }) => contribution as string))];
    for (let start = 0; start < contributions.length; start += ROWS) {
      const rows = contributions
        .slice(start, start + ROWS)
        .map((contribution) => ({ snapshot: id, contribution }));
      await transaction.insertInto('snapshot_contributions').values(rows).execute();
    }
    await this.log.append(transaction, 'snapshot-created', id, { segments: members.length });
  }
}

/** Of those members alone that are taken. */
async function snapshotOf(
  statements: Statements,
  id: string,
  isTaken: (member: Member) => boolean,
): Promise<Snapshot> {
  const { rows } = await sql<Member & { created: string }>`
    SELECT members.*, created FROM snapshots
      JOIN snapshot_segments ON snapshot = snapshots.id
      JOIN (${MEMBERS}) AS members ON members.digest = segment
    WHERE snapshots.id = ${id} ORDER BY position`.execute(statements);
  const members = rows.filter(isTaken);
  const first = members[0];
  if (!first)
    throw new TacetError('not-found', `there is no snapshot ${id}, or no such part of it`);
  return {
    id,
    created: first.created,
    modelDigest: first.modelDigest,
    labelSchemeDigest: first.labelSchemeDigest,
    labelCount: first.labelCount,
    entities: first.entities,
    dimension: first.dimension,
    elementType: first.elementType,
    sentenceCount: sum(members, 'sentences'),
    tokens: sum(members, 'tokens'),
    bytes: sum(members, 'bytes'),
    institutions: [...new Set(members.map(({ institution }) => institution))].sort(),
    parts: partsOf(members),
    segments: members.map(({ digest }) => digest),
    withdrawn: members.some(({ withdrawn }) => withdrawn !== null),
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

async function matching(statements: Statements, filter: SnapshotFilter): Promise<Member[]> {
  const { model, labelScheme, entities, institutions, from, until } = filter;
  const conditions = [
    sql`withdrawn IS NULL`,
    ...(model === undefined ? [] : [sql`segments.model = ${model}`]),
    ...(labelScheme === undefined ? [] : [sql`segments.label_scheme = ${labelScheme}`]),
    ...(entities === undefined ? [] : [sql`segments.entities = ${entities}`]),
    ...(from === undefined ? [] : [sql`received >= ${momentOf(from)}`]),
    ...(until === undefined ? [] : [sql`received < ${momentOf(until)}`]),
  ];
  const { rows } = await sql<Member>`${MEMBERS}
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY segments.digest`.execute(statements);
  if (!institutions) return rows;
  return rows.filter(({ institution }) => institutions.includes(institution));
}

/** In the form of `received`, so that texts compare as times do. */
function momentOf(time: string): string {
  return new Date(time).toISOString();
}

function checkUniform(members: readonly Member[]): void {
  const first = members[0];
  if (!first) throw new TacetError('not-found', 'no contribution matches; nothing to freeze');
  for (const key of UNIFORM) {
    const values = new Set(members.map((member) => member[key]));
    if (values.size === 1) continue;
    const found = [...values].sort().join(', ');
    throw new TacetError('conflict', `a snapshot has one ${key}; found ${found}: name one`);
  }
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
  const lines = ['tacet-snapshot-1', ...segments, ''];
  return sha256Hex(lines.join('\n'));
}

function partsOf(members: readonly Member[]): SnapshotPart[] {
  const all = [...new Set(members.map(({ copies }) => copies))].sort((a, b) => a - b);
  return all.map((copies) => {
    const own = members.filter((member) => member.copies === copies);
    return { copies, sentenceCount: sum(own, 'sentences'), tokens: sum(own, 'tokens') };
  });
}

function sum(members: readonly Member[], key: 'sentences' | 'tokens' | 'bytes'): number {
  return members.reduce((total, member) => total + member[key], 0);
}
