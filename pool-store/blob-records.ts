import { sql } from 'kysely';
import { TacetError } from '../proto/errors.js';
import { keptTypesText } from '../proto/kept-types.js';
import { blocksRow } from './block-places.js';
import type { Catalog, CatalogTransaction, Statements } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import { Leases, takeLease } from './leases.js';
import { countOf, type Extent, type Listing } from './listing.js';
import type { SegmentFacts } from './segment-facts.js';
import { FINGERPRINT_BYTES } from './sentence-statistics.js';
import { bytesRowsOf, clock, insertOrFail, rowsOf } from './sql-dialect.js';

const BLOB_KINDS = ['segment', 'bundle-file', 'checkpoint'] as const;
export type BlobKind = (typeof BLOB_KINDS)[number];

export interface BlobRecord {
  readonly digest: string;
  readonly kind: BlobKind;
  readonly bytes: number;
  readonly stored: string;
  /** When its bytes were withdrawn; they never come back. */
  readonly erased: string | null;
  /** The name of whoever uploaded it first; null where that was before names were kept. */
  readonly owner: string | null;
}

export interface NewBlob {
  readonly digest: string;
  readonly kind: BlobKind;
  readonly bytes: number;
  readonly owner: string | null;
  readonly facts?: SegmentFacts | undefined;
}

const PAGE = 1000;
/** As long as the bytes of a forgotten blob may take to go. */
export const COLLECTION_MS = 600_000;

/** What the catalog knows of each blob, and of each segment what its bytes show. */
export class BlobRecords {
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
  add({ digest, kind, bytes, owner, facts }: NewBlob): Promise<void> {
    return this.catalog.write(async (transaction) => {
      const { time, isCollected, isKnown } = await placeOf(transaction, digest);
      if (isCollected)
        throw new TacetError(
          'store-unavailable',
          `blob ${digest} is being collected, since nothing used it; try again`,
        );
      if (isKnown) {
        await transaction
          .updateTable('blobs')
          .set({ owner })
          .where('digest', '=', digest)
          .where('owner', 'is', null)
          .execute();
        return;
      }
      const stored = new Date(time).toISOString();
      await transaction
        .insertInto('blobs')
        .values({ digest, kind, bytes, stored, erased: null, owner })
        .execute();
      if (facts) await addSegment(transaction, digest, facts);
      await this.log.append(transaction, 'blob-stored', digest, { kind, bytes });
    });
  }

  /** Bytes that are stored and were uploaded under a name. */
  async bytesOf(owner: string, statements: Statements = this.catalog.read): Promise<number> {
    const { bytes } = await statements
      .selectFrom('blobs')
      .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
      .where('owner', '=', owner)
      .where('erased', 'is', null)
      .executeTakeFirstOrThrow();
    return bytes ?? 0;
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

function collectionOf(digest: string): string {
  return `collection of ${digest}`;
}

/** In one statement, for everyone who writes waits meanwhile: the catalog's time, and what it has of that name. */
async function placeOf(transaction: CatalogTransaction, digest: string) {
  const { rows } = await sql<{ time: number; collected: number; known: number }>`
    SELECT now.value AS time,
      (SELECT count(*) FROM leases WHERE name = ${collectionOf(digest)} AND ends > now.value) AS collected,
      (SELECT count(*) FROM blobs WHERE digest = ${digest}) AS known
    FROM (SELECT ${clock(transaction)} AS value) AS now`.execute(transaction);
  const { time = Number.NaN, collected = 0, known = 0 } = rows[0] ?? {};
  return { time, isCollected: collected > 0, isKnown: known > 0 };
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

async function addSegment(
  transaction: CatalogTransaction,
  digest: string,
  facts: SegmentFacts,
): Promise<void> {
  await transaction
    .insertInto('segments')
    .values({
      digest,
      model: facts.modelDigest,
      label_scheme: facts.labelSchemeDigest,
      label_count: facts.labelCount,
      dimension: facts.dimension,
      element_type: facts.elementType,
      sentences: facts.sentenceCount,
      tokens: facts.tokens,
      bytes: facts.bytes,
      mean_square_norm: facts.meanSquareNorm,
      norms: JSON.stringify(facts.norms),
      probes: JSON.stringify(facts.probes),
      blocks: JSON.stringify(blocksRow(facts.blocks)),
      entities: facts.entities,
      kept_types: keptTypesText(facts.keptTypes),
      format: facts.format,
    })
    .execute();
  // One statement for all of them: values in a statement each take several times as long.
  await sql`${insertOrFail(transaction)} INTO fingerprints (fingerprint, segment, copies)
    SELECT listed.value, ${digest}, count(*)
    FROM ${bytesRowsOf(transaction, facts.fingerprints, FINGERPRINT_BYTES)} AS listed GROUP BY listed.value`.execute(
    transaction,
  );
}
