import { apart, Batches } from '../../platform/batches.js';
import { TacetError } from '../../proto/errors.js';
import type { Catalog, Statements } from '../catalog/catalog.js';
import { type CompiledQuery, sql } from '../catalog/kysely.js';
import { Leases, takeLease } from '../catalog/leases.js';
import { countOf, type Extent, type Listing } from '../catalog/listing.js';
import { rowsOf } from '../catalog/sql-dialect.js';
import type { ChangeLog } from '../log/change-log.js';
import type { BlobRecord, NewBlob } from './blob-record.js';
import { collectionOf, recordBlobs } from './record-blobs.js';

const PAGE = 1000;
/** Of blobs that are recorded in one transaction, unless one alone has more: all others of the store wait for it. */
const SENTENCES_TOGETHER = 65_536;
/** So that they are 64 at most. */
const LEAST_SIZE = SENTENCES_TOGETHER / 64;
/** As long as the bytes of a forgotten blob may take to go. */
export const COLLECTION_MS = 600_000;

/** What the catalog knows of each blob, and of each segment what its bytes show. */
export class BlobRecords {
  /** Those that come while some are being recorded are recorded together after it. */
  readonly #added = new Batches<NewBlob, void>({
    work: (_, { claim }) =>
      apart(claim(), (blobs) =>
        this.catalog.write((transaction) => recordBlobs(transaction, this.log, blobs)),
      ),
    sizeOf: ({ facts }) => Math.max(LEAST_SIZE, facts?.sentenceCount ?? 0),
    mostTogether: SENTENCES_TOGETHER,
  });

  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  find(
    digest: string,
    statements: Statements = this.catalog.read,
  ): Promise<BlobRecord | undefined> {
    return statements
      .selectFrom('blobs')
      .selectAll()
      .where('digest', '=', digest)
      .executeTakeFirst();
  }

  /** Throws `not-found`, or `withdrawn` where the bytes were erased. */
  async get(digest: string): Promise<BlobRecord> {
    const record = await this.find(digest);
    if (!record) throw new TacetError('not-found', `there is no blob ${digest}`);
    if (record.erased !== null) throw new TacetError('withdrawn', `blob ${digest} was withdrawn`);
    return record;
  }

  /** Those of these digests that are known, by digest. */
  async findAll(digests: readonly string[]): Promise<Map<string, BlobRecord>> {
    const { read } = this.catalog;
    const { rows } = await sql<BlobRecord>`
      SELECT blobs.* FROM ${rowsOf(read, digests)} AS asked JOIN blobs ON digest = asked.value`.execute(
      read,
    );
    return new Map(rows.map((record) => [record.digest, record]));
  }

  /** By their digests, in memory of one page. */
  async *all(): AsyncGenerator<BlobRecord> {
    for (let last = ''; ; ) {
      const page = await this.catalog.read
        .selectFrom('blobs')
        .selectAll()
        .where('digest', '>', last)
        .orderBy('digest')
        .limit(PAGE)
        .execute();
      yield* page;
      if (page.length < PAGE) return;
      last = page[page.length - 1].digest;
    }
  }

  /**
   * Records a blob whose bytes are safe on disk. Recording it again changes nothing, but that a blob
   * without an owner gets one. Throws `store-unavailable` while one of its name is being collected.
   */
  add(blob: NewBlob): Promise<void> {
    return this.#added.add('all', blob);
  }

  /** Bytes that are stored and were uploaded under a name. */
  async bytesOf(owner: string): Promise<number> {
    const { read } = this.catalog;
    const { rows } = await read.executeQuery(this.bytesStored([owner], read));
    return rows[0]?.bytes ?? 0;
  }

  /** Finds the same among other statements, of those names that have any. */
  bytesStored(
    owners: readonly string[],
    statements: Statements,
  ): CompiledQuery<{ owner: string | null; bytes: number }> {
    return statements
      .selectFrom('blobs')
      .select(({ fn }) => ['owner', fn.sum<number>('bytes').as('bytes')])
      .where('owner', 'in', owners)
      .where('erased', 'is', null)
      .groupBy('owner')
      .compile();
  }

  /** The same for a page of names, the largest first. */
  async pageByOwner({ offset, limit }: Extent): Promise<Listing<{ owner: string; bytes: number }>> {
    const { read } = this.catalog;
    const { rows } = await sql<{ owner: string; bytes: number }>`
      SELECT coalesce(owner, '') AS owner, sum(bytes) AS bytes FROM blobs
      WHERE erased IS NULL GROUP BY blobs.owner
      ORDER BY sum(bytes) DESC, coalesce(owner, '') LIMIT ${limit} OFFSET ${offset}`.execute(read);
    const owners = sql`FROM (SELECT DISTINCT owner FROM blobs WHERE erased IS NULL) AS owners`;
    return { rows, total: await countOf(read, owners) };
  }

  /** The same for every name; what was stored before names were kept counts for an empty one. */
  async bytesByOwner(): Promise<{ owner: string; bytes: number }[]> {
    const { rows } = await sql<{ owner: string; bytes: number }>`
      SELECT coalesce(owner, '') AS owner, sum(bytes) AS bytes
      FROM blobs WHERE erased IS NULL GROUP BY blobs.owner`.execute(this.catalog.read);
    return rows;
  }

  /** Blobs stored before a time that no contribution, no model and no job uses. */
  async unusedBefore(time: string): Promise<string[]> {
    const rows = await unused(this.catalog.read).where('stored', '<', time).execute();
    return rows.map(({ digest }) => digest);
  }

  /** Segments that no contribution names. */
  async ungivenSegments(): Promise<string[]> {
    const rows = await unused(this.catalog.read).where('blobs.kind', '=', 'segment').execute();
    return rows.map(({ digest }) => digest);
  }

  /**
   * Returns whether the blob is forgotten: one that came into use meanwhile is not. Until `collected`, or
   * `COLLECTION_MS` later, none of its name is recorded.
   */
  forgetUnused(digest: string, holder: string): Promise<boolean> {
    return this.catalog.write(async (transaction) => {
      const found = unused(transaction).where('blobs.digest', '=', digest);
      if (!(await found.executeTakeFirst())) return false;
      await transaction.deleteFrom('fingerprints').where('segment', '=', digest).execute();
      await transaction.deleteFrom('segments').where('digest', '=', digest).execute();
      await transaction.deleteFrom('blobs').where('digest', '=', digest).execute();
      await this.log.append(transaction, 'blob-collected', digest);
      return takeLease(transaction, collectionOf(digest), holder, COLLECTION_MS);
    });
  }

  /** Returns whether there is no record of a blob; as after `forgetUnused` there will be none for a while. */
  refuseUnknown(digest: string, holder: string): Promise<boolean> {
    return this.catalog.write(async (transaction) => {
      if (await this.find(digest, transaction)) return false;
      return takeLease(transaction, collectionOf(digest), holder, COLLECTION_MS);
    });
  }

  /** After the bytes of what was forgotten, or was never known, are gone. */
  collected(digest: string, holder: string): Promise<void> {
    return new Leases(this.catalog).release(collectionOf(digest), holder);
  }
}

function unused(statements: Statements) {
  return statements
    .selectFrom('blobs')
    .leftJoin('segments', 'segments.digest', 'blobs.digest')
    .select('blobs.digest')
    .where('erased', 'is', null)
    .where('segments.contribution', 'is', null)
    .where('blobs.digest', 'not in', (files) => files.selectFrom('model_files').select('blob'))
    .where('blobs.digest', 'not in', (kept) => kept.selectFrom('job_checkpoints').select('digest'));
}
