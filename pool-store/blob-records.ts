import { TacetError } from '../proto/errors.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';
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
  /** The name of whoever uploaded it; null where that was before names were kept. */
  readonly owner: string | null;
}

export interface NewBlob {
  readonly digest: string;
  readonly kind: BlobKind;
  readonly bytes: number;
  readonly owner: string | null;
  readonly facts?: SegmentFacts | undefined;
}

/** What the catalog knows of each blob, and of each segment what its bytes show. */
export class BlobRecords {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  find(digest: string): BlobRecord | undefined {
    return this.catalog
      .prepare<[string], BlobRecord>('SELECT * FROM blobs WHERE digest = ?')
      .get(digest);
  }

  /** Throws `not-found`, or `withdrawn` where the bytes were erased. */
  get(digest: string): BlobRecord {
    const record = this.find(digest);
    if (!record) throw new TacetError('not-found', `there is no blob ${digest}`);
    if (record.erased !== null) throw new TacetError('withdrawn', `blob ${digest} was withdrawn`);
    return record;
  }

  all(): IterableIterator<BlobRecord> {
    return this.catalog.prepare<[], BlobRecord>('SELECT * FROM blobs ORDER BY digest').iterate();
  }

  /** Records a blob whose bytes are safe on disk; recording it again changes nothing. */
  add({ digest, kind, bytes, owner, facts }: NewBlob): void {
    inTransaction(this.catalog, () => {
      if (this.find(digest)) return;
      this.catalog
        .prepare('INSERT INTO blobs VALUES (?, ?, ?, ?, NULL, ?)')
        .run(digest, kind, bytes, now(), owner);
      if (facts) this.#addSegment(digest, facts);
      this.log.append('blob-stored', digest, { kind, bytes });
    });
  }

  /** Bytes that are stored and were uploaded under a name. */
  bytesOf(owner: string): number {
    const sum = this.catalog
      .prepare<[string], number | null>(
        'SELECT sum(bytes) FROM blobs WHERE owner = ? AND erased IS NULL',
      )
      .pluck()
      .get(owner);
    return sum ?? 0;
  }

  /** The same for every name; what was stored before names were kept counts for an empty one. */
  bytesByOwner(): { owner: string; bytes: number }[] {
    return this.catalog
      .prepare<[], { owner: string; bytes: number }>(
        `SELECT coalesce(owner, '') AS owner, sum(bytes) AS bytes
         FROM blobs WHERE erased IS NULL GROUP BY owner`,
      )
      .all();
  }

  /** Forgets blobs stored before a time that no contribution and no model uses; returns them. */
  forgetUnused(before: string): string[] {
    return inTransaction(this.catalog, () => {
      const unused = this.catalog
        .prepare<[string], string>(
          `SELECT digest FROM blobs LEFT JOIN segments USING (digest)
           WHERE erased IS NULL AND stored < ? AND segments.contribution IS NULL
             AND digest NOT IN (SELECT blob FROM model_files)`,
        )
        .pluck()
        .all(before);
      for (const digest of unused) {
        this.catalog.prepare('DELETE FROM fingerprints WHERE segment = ?').run(digest);
        this.catalog.prepare('DELETE FROM segments WHERE digest = ?').run(digest);
        this.catalog.prepare('DELETE FROM blobs WHERE digest = ?').run(digest);
        this.log.append('blob-collected', digest);
      }
      return unused;
    });
  }

  #addSegment(digest: string, facts: SegmentFacts): void {
    this.catalog
      .prepare('INSERT INTO segments VALUES (?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
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
      );
    const insert = this.catalog.prepare(
      `INSERT INTO fingerprints VALUES (?, ?, 1)
       ON CONFLICT DO UPDATE SET copies = copies + 1`,
    );
    for (const fingerprint of facts.fingerprints) {
      insert.run(Buffer.from(fingerprint, 'hex'), digest);
    }
  }
}
