import { apart, Batches } from '../../platform/batches.js';
import { type ContributionManifest, parseContribution } from '../../proto/contribution.js';
import type { Envelope } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import type { Blobs } from '../blobs/blobs.js';
import { type Catalog, now, type Statements } from '../catalog/catalog.js';
import { type RawBuilder, sql } from '../catalog/kysely.js';
import { atMost, isBehind, type ListPart } from '../catalog/listing.js';
import { byIndex, joinInOrder } from '../catalog/sql-dialect.js';
import type { ChangeLog } from '../log/change-log.js';
import {
  SEGMENT_COLUMNS,
  type SegmentRecord,
  type SegmentRow,
  segmentOf,
} from '../segments/segment-records.js';
import { findUploads } from './contributed-segments.js';
import {
  CONTRIBUTIONS,
  type Contribution,
  type ContributionRow,
  contributionOf,
} from './contribution-records.js';
import type { RecentSamples } from './recent-samples.js';
import {
  type Accepted,
  acceptedAfter,
  contributionId,
  type GivenContribution,
  type Judgement,
  type Recorded,
  recordContributions,
} from './record-contributions.js';

/** Of contributions that are recorded in one transaction, unless one alone has more: all others of the store wait for it. */
export const SEGMENTS_TOGETHER = 64;

/** The contributions of a pool. */
export class Contributions {
  readonly #recorded = new Batches<GivenContribution, Accepted>({
    work: (_, { claim }) => this.record(claim()),
    sizeOf: ({ manifest }) => manifest.segments.length,
    mostTogether: SEGMENTS_TOGETHER,
  });

  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
    readonly blobs: Blobs,
    readonly recentSamples: RecentSamples,
  ) {}

  /**
   * Accepts a contribution whose signature was verified and whose segments its institution uploaded,
   * which proves that it has their bytes: digests stand in the log, and who only read one there must
   * not take another's segment. Where several uploaded the same bytes, they are the first one's. When it
   * returns, the contribution survives a power cut: the bytes and names of its segments were synced
   * when they were uploaded, the catalog at this commit. The same contribution again changes
   * nothing. Throws `contribution-invalid`, `conflict`, `withdrawn`.
   */
  async accept(envelope: Envelope, manifest: ContributionManifest): Promise<Contribution> {
    if (!(await this.find(envelope))) await this.requireBytes(manifest);
    const { id } = await this.#recorded.add('all', { envelope, manifest });
    return this.get(id);
  }

  /**
   * `accept` without `requireBytes`, which others need not wait for, of several in their order; one that is
   * refused keeps no other from being accepted. Those to one model may have been compared with what the log has of it, and are
   * compared with the rest here: throws `pool-busy`, and accepts none, where that cannot be.
   */
  async record(
    given: readonly GivenContribution[],
    judgement?: Judgement,
  ): Promise<readonly Recorded[]> {
    const { catalog, log, recentSamples } = this;
    return apart(given, (some) =>
      catalog.write((transaction) =>
        recordContributions(transaction, { log, recentSamples }, some, judgement),
      ),
    );
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
    return this.#find(contributionId(envelope));
  }

  /** The newest segments of a model and d that were contributed and not withdrawn, oldest first. */
  async newestSegments(model: string, dimension: number, count: number): Promise<SegmentRecord[]> {
    const { read } = this.catalog;
    // From the newest contribution on: all segments of a model would be sorted otherwise.
    const { rows } = await sql<SegmentRow>`
      SELECT ${SEGMENT_COLUMNS} FROM contributions ${byIndex(read, 'contributions_by_time')}
        ${joinInOrder(read)} segments ON segments.contribution = contributions.id
      WHERE contributions.model = ${model} AND withdrawn IS NULL AND segments.dimension = ${dimension}
      ORDER BY received DESC, segments.digest LIMIT ${count}`.execute(read);
    return rows.map(segmentOf).reverse();
  }

  /** As `newestSegments`, of contributions whose acceptance the log has after an entry. */
  async segmentsAfter(
    sequence: number,
    model: string,
    dimension: number,
    count: number,
  ): Promise<SegmentRecord[]> {
    const { read } = this.catalog;
    const segments = sql`
      ${joinInOrder(read)} segments ON segments.contribution = contributions.id`;
    const { rows } = await sql<SegmentRow>`
      SELECT ${SEGMENT_COLUMNS} ${acceptedAfter(read, sequence, model, segments)}
        AND segments.dimension = ${dimension}
      ORDER BY log.sequence DESC, segments.digest LIMIT ${count}`.execute(read);
    return rows.map(segmentOf).reverse();
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
      await this.recentSamples.forget(transaction);
    });
    for (const { digest } of await this.segmentsOf(id)) await this.blobs.erase(digest);
    return this.get(id);
  }

  /** Has a contribution refused that was withdrawn at that time, and of which nothing else is known here. */
  async refuseLost(id: string, withdrawn: string): Promise<void> {
    await this.catalog.write(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('lost_withdrawals')
        .values({ id, withdrawn })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 0n)
        await this.log.append(transaction, 'contribution-withdrawn', id);
    });
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
