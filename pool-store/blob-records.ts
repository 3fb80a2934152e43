import { TacetError } from '../proto/errors.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import { countOf, type Extent, type Listing } from './listing.js';
import type { SegmentFacts } from './segment-facts.js';

export const BLOB_KINDS = ['segment', 'bundle-file'] as const;
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

const UNUSED = `
  SELECT blobs.digest FROM blobs LEFT JOIN segments ON segments.digest = blobs.digest
  WHERE erased IS NULL AND segments.contribution IS NULL
    AND blobs.digest NOT IN (SELECT blob FROM model_files)`;

/** What the catalog knows of each blob, and of each segment what its bytes show. */
export class BlobRecords {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  find(digest: string): BlobRecord | undefined {
    return this.catalog.get<BlobRecord>('SELECT * FROM blobs WHERE digest = ?', digest);
  }

  /** Throws `not-found`, or `withdrawn` where the bytes were erased. */
  get(digest: string): BlobRecord {
    const record = this.find(digest);
    if (!record) throw new TacetError('not-found', `there is no blob ${digest}`);
    if (record.erased !== null) throw new TacetError('withdrawn', `blob ${digest} was withdrawn`);
    return record;
  }

  all(): IterableIterator<BlobRecord> {
    return this.catalog.each<BlobRecord>('SELECT * FROM blobs ORDER BY digest');
  }

  /**
   * Records a blob whose bytes are safe on disk. Recording it again changes nothing, but that a blob
   * without an owner gets one.
   */
  add({ digest, kind, bytes, owner, facts }: NewBlob): void {
    inTransaction(this.catalog, () => {
      if (this.find(digest)) {
        this.catalog.run(
          'UPDATE blobs SET owner = ? WHERE digest = ? AND owner IS NULL',
          owner,
          digest,
        );
        return;
      }
      this.catalog.run(
        'INSERT INTO blobs VALUES (?, ?, ?, ?, NULL, ?)',
        digest,
        kind,
        bytes,
        now(),
        owner,
      );
      if (facts) this.#addSegment(digest, facts);
      this.log.append('blob-stored', digest, { kind, bytes });
    });
  }

  /** Bytes that are stored and were uploaded under a name. */
  bytesOf(owner: string): number {
    const sum = this.catalog.get<{ bytes: number | null }>(
      'SELECT sum(bytes) AS bytes FROM blobs WHERE owner = ? AND erased IS NULL',
      owner,
    );
    return sum?.bytes ?? 0;
  }

  /** The same for a page of names, the largest first. */
  pageByOwner({ offset, limit }: Extent): Listing<{ owner: string; bytes: number }> {
    const rows = this.catalog.all<{ owner: string; bytes: number }>(
      `SELECT coalesce(owner, '') AS owner, sum(bytes) AS bytes FROM blobs
         WHERE erased IS NULL GROUP BY owner ORDER BY sum(bytes) DESC, owner LIMIT ? OFFSET ?`,
      limit,
      offset,
    );
    const owners = 'FROM (SELECT DISTINCT owner FROM blobs WHERE erased IS NULL)';
    return { rows, total: countOf(this.catalog, owners) };
  }

  /** The same for every name; what was stored before names were kept counts for an empty one. */
  bytesByOwner(): { owner: string; bytes: number }[] {
    return this.catalog.all<{
      owner: string;
      bytes: number;
    }>(`SELECT coalesce(owner, '') AS owner, sum(bytes) AS bytes
         FROM blobs WHERE erased IS NULL GROUP BY owner`);
  }

  /** Blobs stored before a time that no contribution and no model uses. */
  unusedBefore(time: string): string[] {
    return this.catalog
      .all<{ digest: string }>(`${UNUSED} AND stored < ?`, time)
      .map(({ digest }) => digest);
  }

  /** Returns whether the blob is forgotten: one that came into use meanwhile is not. */
  forgetUnused(digest: string): boolean {
    return inTransaction(this.catalog, () => {
      if (!this.catalog.get(`${UNUSED} AND blobs.digest = ?`, digest)) return false;
      this.catalog.run('DELETE FROM fingerprints WHERE segment = ?', digest);
      this.catalog.run('DELETE FROM segments WHERE digest = ?', digest);
      this.catalog.run('DELETE FROM blobs WHERE digest = ?', digest);
      this.log.append('blob-collected', digest);
      return true;
    });
  }

  #addSegment(digest: string, facts: SegmentFacts): void {
    this.catalog.run(
      'INSERT INTO segments VALUES (?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      digest,
      facts.modelDigest,
      facts.labelSchemeDigest,
      facts.labelCount,
      facts.dimension,
      facts.elementType,
      facts.sentenceCount,
      facts.tokens,
      facts.bytes,
      facts.meanSquareNorm,
      JSON.stringify(facts.norms),
      JSON.stringify(facts.probes),
      facts.entities,
      facts.format,
    );
    for (const fingerprint of facts.fingerprints) {
      this.catalog.run(
        `INSERT INTO fingerprints VALUES (?, ?, 1)
         ON CONFLICT DO UPDATE SET copies = copies + 1`,
        Buffer.from(fingerprint, 'hex'),
        digest,
      );
    }
  }
}
