import { type RawBuilder, sql } from 'kysely';
import { type ContributionManifest, parseContribution } from '../proto/contribution.js';
import { sha256Hex } from '../proto/digest.js';
import type { Envelope } from '../proto/dsse.js';
import { TacetError } from '../proto/errors.js';
import { keptTypesText } from '../proto/kept-types.js';
import type { Blobs } from './blobs.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from './catalog.js';
import { currentTime } from './catalog-clock.js';
import type { ChangeLog } from './change-log.js';
import { findUploads, requireSegments, withdrawn } from './contributed-segments.js';
import {
  CONTRIBUTIONS,
  type Contribution,
  type ContributionRow,
  contributionOf,
} from './contribution-records.js';
import { atMost, isBehind, type ListPart } from './listing.js';
import {
  SEGMENT_COLUMNS,
  type SegmentRecord,
  type SegmentRow,
  segmentOf,
} from './segment-records.js';
import { byIndex, joinInOrder, rowsOf } from './sql-dialect.js';

export interface Acceptance {
  /** Sees every segment and may throw. */
  readonly check?: (segment: SegmentRecord) => void;
  /** Sequence number of the log up to which the contribution was compared with others of its model. */
  readonly judgedTo?: number | undefined;
}

/** A contribution that is kept. */
export interface Accepted {
  readonly id: string;
  /** Of the entry of the log that says so; undefined where it was kept before. */
  readonly sequence: number | undefined;
}

/** The contributions of a pool. */
export class Contributions {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
    readonly blobs: Blobs,
  ) {}

  /**
   * Accepts a contribution whose signature was verified and whose segments its institution uploaded,
   * which proves that it has their bytes: digests stand in the log, and who only read one there must
   * not take another's segment. Where several uploaded the same bytes, they are the first one's. When it
   * returns, the contribution survives a power cut: the bytes and names of its segments were synced
   * when they were uploaded, the catalog at this commit. The same contribution again changes
   * nothing. Throws `contribution-invalid`, `conflict`, `withdrawn`, and `pool-busy` where the log has a
   * contribution to the same model after `judgedTo`.
   */
  async accept(
    envelope: Envelope,
    manifest: ContributionManifest,
    acceptance: Acceptance = {},
  ): Promise<Contribution> {
    if (!(await this.find(envelope))) await this.requireBytes(manifest);
    const { id } = await this.record(envelope, manifest, acceptance);
    return this.get(id);
  }

  /** `accept` without `requireBytes`, which others need not wait for. */
  async record(
    envelope: Envelope,
    manifest: ContributionManifest,
    { check = () => {}, judgedTo }: Acceptance = {},
  ): Promise<Accepted> {
    const id = idOf(envelope);
    return this.catalog.write(async (transaction) => {
      const known = await this.#find(id, transaction);
      if (known?.withdrawn) throw withdrawn(`contribution ${id}`);
      if (known) return { id, sequence: undefined };
      if (judgedTo !== undefined) await requireJudged(transaction, manifest, judgedTo);
      await requireSegments(transaction, manifest, check);
      await insertContribution(transaction, { id, envelope, manifest });
      const { institution, model } = manifest;
      const details = { institution, model };
      const head = await this.log.append(transaction, 'contribution-accepted', id, details);
      return { id, sequence: head.sequence };
    });
  }

  /** A promise is made for bytes that are there, not for rows that name them. Throws `contribution-invalid`. */
  async requireBytes({ segments, institution }: ContributionManifest): Promise<void> {
    const uploads = await findUploads(this.catalog.read, segments);
    for (const digest of segments) {
      const segment = uploads.get(digest);
      // What is another's or was withdrawn is refused by `record`.
      if (segment?.owner !== institution || segment.erased !== null) continue;
      if ((await this.blobs.size(digest)) === segment.bytes) continue;
      throw new TacetError('contribution-invalid', `segment ${digest} is lost; upload it again`);
    }
  }

  /** Throws `not-found`. */
  async get(id: string, statements: Statements = this.catalog.read): Promise<Contribution> {
    const contribution = await this.#find(id, statements);
    if (!contribution) throw new TacetError('not-found', `there is no contribution ${id}`);
    return contribution;
  }

  async count(): Promise<{ kept: number; withdrawn: number }> {
    const { rows } = await sql<{ kept: number; withdrawn: number }>`
      SELECT count(*) - count(withdrawn) AS kept, count(withdrawn) AS withdrawn
      FROM contributions`.execute(this.catalog.read);
    return rows[0] ?? { kept: 0, withdrawn: 0 };
  }

  /** All, or those of one institution, oldest first. */
  async list(institution?: string, { after, limit }: ListPart = {}): Promise<Contribution[]> {
    const where = institution === undefined ? sql`TRUE` : sql`institution = ${institution}`;
    const chosen = sql`
      SELECT id FROM contributions WHERE ${where} AND ${isBehind(after, 'received', 'id')}
      ORDER BY received, id ${atMost(limit)}`;
    const { rows } = await sql<ContributionRow>`${CONTRIBUTIONS}
      WHERE contributions.id IN (${chosen})
      GROUP BY contributions.id ORDER BY received, contributions.id`.execute(this.catalog.read);
    return rows.map(contributionOf);
  }

  /** The contribution that this envelope made, or undefined. */
  find(envelope: Envelope): Promise<Contribution | undefined> {
    return this.#find(idOf(envelope));
  }

  /** The newest segments of a model and d that were contributed and not withdrawn, oldest first. */
  async newestSegments(model: string, dimension: number, count: number): Promise<string[]> {
    const { read } = this.catalog;
    // From the newest contribution on: all segments of a model would be sorted otherwise.
    const { rows } = await sql<{ digest: string }>`
      SELECT segments.digest FROM contributions ${byIndex(read, 'contributions_by_time')}
        ${joinInOrder(read)} segments ON segments.contribution = contributions.id
      WHERE contributions.model = ${model} AND withdrawn IS NULL AND segments.dimension = ${dimension}
      ORDER BY received DESC, segments.digest LIMIT ${count}`.execute(read);
    return rows.map(({ digest }) => digest).reverse();
  }

  /** As `newestSegments`, of contributions whose acceptance the log has after an entry. */
  async segmentsAfter(
    sequence: number,
    model: string,
    dimension: number,
    count: number,
  ): Promise<string[]> {
    const { read } = this.catalog;
    const { rows } = await sql<{ digest: string }>`
      SELECT segments.digest ${acceptedAfter(
        read,
        sequence,
        model,
        sql`
        ${joinInOrder(read)} segments ON segments.contribution = contributions.id`,
      )}
        AND segments.dimension = ${dimension}
      ORDER BY log.sequence DESC, segments.digest LIMIT ${count}`.execute(read);
    return rows.map(({ digest }) => digest).reverse();
  }

  /** A segment as it was uploaded, whether it was contributed or not. */
  async findSegment(digest: string): Promise<SegmentRecord | undefined> {
    const [segment] = await this.#segments(sql`WHERE digest = ${digest}`);
    return segment;
  }

  segmentsOf(id: string): Promise<SegmentRecord[]> {
    return this.#segments(sql`WHERE contribution = ${id} ORDER BY digest`);
  }

  /** What was signed; the signature was verified when it was accepted. Throws `not-found`. */
  async manifestOf(id: string): Promise<ContributionManifest> {
    const { payload } = await this.envelopeOf(id);
    return parseContribution(JSON.parse(Buffer.from(payload, 'base64').toString('utf8')));
  }

  /** The envelope as it was signed. */
  async envelopeOf(id: string): Promise<Envelope> {
    const row = await this.catalog.read
      .selectFrom('contributions')
      .select('envelope')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw new TacetError('not-found', `there is no contribution ${id}`);
    return JSON.parse(row.envelope);
  }

  /**
   * Erases the bytes and leaves a tombstone. The tombstone is committed first: after a crash in
   * between, the next start erases the rest. Withdrawing again changes nothing. Throws `not-found`.
   */
  async withdraw(id: string): Promise<Contribution> {
    await this.catalog.write(async (transaction) => {
      if ((await this.get(id, transaction)).withdrawn !== null) return;
      const time = now();
      await transaction
        .updateTable('contributions')
        .set({ withdrawn: time })
        .where('id', '=', id)
        .execute();
      await transaction
        .updateTable('blobs')
        .set({ erased: time })
        .where('digest', 'in', (segments) =>
          segments.selectFrom('segments').select('digest').where('contribution', '=', id),
        )
        .execute();
      await this.log.append(transaction, 'contribution-withdrawn', id);
    });
    for (const { digest } of await this.segmentsOf(id)) await this.blobs.erase(digest);
    return this.get(id);
  }

  async #find(
    id: string,
    statements: Statements = this.catalog.read,
  ): Promise<Contribution | undefined> {
    const { rows } = await sql<ContributionRow>`${CONTRIBUTIONS}
      WHERE contributions.id = ${id} GROUP BY contributions.id`.execute(statements);
    return rows[0] && contributionOf(rows[0]);
  }

  /** `which` is a query from the table's name on. */
  async #segments(which: RawBuilder<unknown>): Promise<SegmentRecord[]> {
    const { rows } = await sql<SegmentRow>`
      SELECT ${SEGMENT_COLUMNS} FROM segments ${which}`.execute(this.catalog.read);
    return rows.map(segmentOf);
  }
}

/** The contributions to a model that the log has after an entry and that were not withdrawn; a query from FROM on. */
function acceptedAfter(
  statements: Statements,
  sequence: number,
  model: string,
  joined: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    FROM log ${joinInOrder(statements)} contributions ON contributions.id = log.subject ${joined}
    WHERE log.sequence > ${sequence} AND action = 'contribution-accepted'
      AND contributions.model = ${model} AND withdrawn IS NULL`;
}

/** Who judged it may have been held up since, while others had their turn. Throws `pool-busy`. */
async function requireJudged(
  transaction: CatalogTransaction,
  { model }: ContributionManifest,
  judgedTo: number,
): Promise<void> {
  const { rows } = await sql`
    SELECT contributions.id ${acceptedAfter(transaction, judgedTo, model)} LIMIT 1`.execute(
    transaction,
  );
  if (rows.length === 0) return;
  throw new TacetError(
    'pool-busy',
    'others contributed to the same model before this contribution could be compared with theirs; send it again',
  );
}

interface NewContribution {
  readonly id: string;
  readonly envelope: Envelope;
  readonly manifest: ContributionManifest;
}

async function insertContribution(
  transaction: CatalogTransaction,
  { id, envelope, manifest }: NewContribution,
): Promise<void> {
  const { institution, keyId, model, labelScheme, entities, inventory, copies, keptTypes } =
    manifest;
  await transaction
    .insertInto('contributions')
    .values({
      ...{ id, institution, key_id: keyId, model, label_scheme: labelScheme },
      envelope: JSON.stringify(envelope),
      // By one clock for all servers, since lists and what is compared for replays are in its order.
      received: new Date(await currentTime(transaction)).toISOString(),
      ...{ entities, inventory, copies, kept_types: keptTypesText(keptTypes) },
    })
    .execute();
  await sql`
    UPDATE segments SET contribution = ${id}
    WHERE digest IN (SELECT value FROM ${rowsOf(transaction, manifest.segments)} AS given)`.execute(
    transaction,
  );
}

function idOf({ payload }: Envelope): string {
  return sha256Hex(Buffer.from(payload, 'base64'));
}
