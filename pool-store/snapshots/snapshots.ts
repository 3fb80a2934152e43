import { setImmediate as giveWay } from 'node:timers/promises';
import { TacetError } from '../../proto/errors.js';
import { keptTypesIn, keptTypesText, unionOf } from '../../proto/kept-types.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import { atMost, isBehind, type ListedPart, type ListPart, partOf } from '../catalog/listing.js';
import { joinInOrder, numberedRowsOf, rowsOf } from '../catalog/sql-dialect.js';
import { Turns } from '../catalog/turns.js';
import type { ChangeLog } from '../log/change-log.js';
import type {
  Provenance,
  Snapshot,
  SnapshotDiff,
  SnapshotFilter,
  SnapshotPart,
} from './snapshot.js';
import {
  chooseSegments,
  contributionsOf,
  type SnapshotChoice,
  withSegments,
} from './snapshot-choice.js';

/** How often it is chosen anew because something was withdrawn in the meantime. */
const ATTEMPTS = 10;
/** Rows that one statement inserts. */
const INSERTED_TOGETHER = 2000;

/** Something that was chosen for a snapshot is not there any more. */
class Outdated extends Error {}

export class Snapshots {
  readonly #turns = new Turns();

  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Freezes what the pool holds now, a new snapshot once `admit` has let it pass; the same segments give the same one.
   * Others write meanwhile: what they give is left out, and what they withdraw is never in it. Throws `not-found` where nothing matches, `conflict` where
   * more than one model, scheme or element type does, and `store-busy` where something is withdrawn all the
   * time.
   */
  create(filter: SnapshotFilter = {}, admit = () => {}): Promise<Snapshot> {
    // One at a time: each holds what it chose in memory.
    return this.#turns.take('snapshot', () => this.#create(filter, admit));
  }

  async #create(filter: SnapshotFilter, admit: () => void): Promise<Snapshot> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const choice = await chooseSegments(this.catalog, this.log, filter);
      try {
        if (!(await exists(this.catalog.read, choice.id))) {
          admit();
          await this.#insert(choice);
        }
      } catch (error) {
        if (error instanceof Outdated) continue;
        throw error;
      }
      const snapshot = await this.get(choice.id);
      if (!snapshot.withdrawn) return snapshot;
    }
    throw new TacetError(
      'store-busy',
      'contributions are withdrawn all the time, so that no snapshot could be made of the others; try again later',
    );
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
    throw withdrawn(id);
  }

  /** As `getReadable`, without reading what it holds. Throws `not-found` or `withdrawn`. */
  async requireReadable(id: string, statements: Statements = this.catalog.read): Promise<void> {
    await this.requireKnown(id, statements);
    const { rows } = await sql`
      SELECT 1 FROM snapshot_contributions
      JOIN contributions ON contributions.id = snapshot_contributions.contribution
      WHERE snapshot = ${id} AND withdrawn IS NOT NULL LIMIT 1`.execute(statements);
    if (rows.length > 0) throw withdrawn(id);
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

  /** Throws `Outdated` where it would hold what was withdrawn since. */
  async #insert(choice: SnapshotChoice): Promise<void> {
    const { id, sums } = choice;
    await this.catalog.writeMuch(
      (transaction) => insertRows(transaction, choice),
      async (transaction) => {
        await requireKept(transaction, choice);
        await this.log.append(transaction, 'snapshot-created', id, { segments: sums.segments });
      },
    );
  }
}

/** Throws `Outdated` where another made it meanwhile: that one may hold what was withdrawn since. */
async function insertRows(
  transaction: CatalogTransaction,
  { id, sums, segments, contributions, keptTypes }: SnapshotChoice,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('snapshots')
    .values({ id, created: now(), ...sums, kept_types: keptTypesText(keptTypes) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw new Outdated();
  for (let from = 0; from < segments.length; from += INSERTED_TOGETHER) {
    const rows = numberedRowsOf(transaction, segments.slice(from, from + INSERTED_TOGETHER));
    await sql`
      INSERT INTO snapshot_segments (snapshot, position, segment)
      SELECT CAST(${id} AS TEXT), ${from} + number, value FROM ${rows} AS listed`.execute(
      transaction,
    );
    await giveWay();
  }
  for (let from = 0; from < contributions.length; from += INSERTED_TOGETHER) {
    const rows = rowsOf(transaction, contributions.slice(from, from + INSERTED_TOGETHER));
    await sql`
      INSERT INTO snapshot_contributions (snapshot, contribution)
      SELECT CAST(${id} AS TEXT), value FROM ${rows} AS listed`.execute(transaction);
    await giveWay();
  }
}

async function requireKept(
  transaction: CatalogTransaction,
  { sequence, contributions }: SnapshotChoice,
): Promise<void> {
  const withdrawn = await transaction
    .selectFrom('log')
    .select('subject')
    .where('sequence', '>', sequence)
    .where('action', '=', 'contribution-withdrawn')
    .execute();
  if (withdrawn.length === 0) return;
  const held = new Set(contributions);
  if (withdrawn.some(({ subject }) => held.has(subject))) throw new Outdated();
}

type Header = Pick<
  Snapshot,
  | 'modelDigest'
  | 'labelSchemeDigest'
  | 'labelCount'
  | 'entities'
  | 'dimension'
  | 'elementType'
  | 'created'
>;
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

function withdrawn(id: string): TacetError {
  return new TacetError(
    'withdrawn',
    `snapshot ${id} holds a withdrawn contribution; create a new snapshot`,
  );
}

async function exists(statements: Statements, id: string): Promise<boolean> {
  const found = await statements
    .selectFrom('snapshots')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
