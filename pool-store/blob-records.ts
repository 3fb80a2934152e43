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
  add(digest: string, kind: BlobKind, bytes: number, facts?: SegmentFacts): void {
    inTransaction(this.catalog, () => {
      if (this.find(digest)) return;
      this.catalog
        .prepare('INSERT INTO blobs VALUES (?, ?, ?, ?, NULL)')
        .run(digest, kind, bytes, now());
      if (facts) this.#addSegment(digest, facts);
      this.log.append('blob-stored', digest, { kind, bytes });
    });
  }

  #addSegment(digest: string, facts: SegmentFacts): void {
    this.catalog
      .prepare('INSERT INTO segments VALUES (?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
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
      );
  }
}
