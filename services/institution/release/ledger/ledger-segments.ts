import type { Database } from '../../../../platform/sqlite/database.js';

/** A segment as the ledger knows it. */
export interface SegmentRow {
  /** SHA-256 in hex of the bytes, and the file's name. */
  readonly digest: string;
  readonly model: string;
  readonly scheme: string;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
  /** The limit that it was certified under (`WithholdPolicy`); null where it was not. */
  readonly certified: number | null;
  /** SHA-256 in hex of the inventory whose entities stand in it; null where they were kept. */
  readonly inventory: string | null;
  /** Types whose entities were kept where the others were replaced, see `keptTypesText`. */
  readonly keptTypes: string;
  /** As of `EncodeOptions`. */
  readonly copies: number;
}

/** A contribution that was signed. */
export interface ContributionRow {
  /** SHA-256 in hex of the envelope. */
  readonly digest: string;
  readonly envelope: Buffer;
}

/** One that no pool has accepted so far as is known. */
export interface PendingRow extends ContributionRow {
  /** Whether a pool was asked to take it and did not refuse: it may have. */
  readonly isSent: boolean;
}

const COLUMNS =
  'digest, model, scheme, sentences, tokens, bytes, certified, inventory, kept_types, copies';
const SELECTED = COLUMNS.replace('kept_types', 'kept_types AS keptTypes');

/** A segment with what the ledger knows of the contribution that names it. */
export interface FoundSegment {
  readonly segment: SegmentRow;
  /** Under which a pool accepted it. */
  readonly id: string | null;
  /** Whether a pool was asked to take it and did not refuse. */
  readonly isSent: boolean;
}

/** Of segments: no pool has promised to keep it, and it was not given up. */
export const PENDING = `dropped = 0 AND (contribution IS NULL
  OR contribution IN (SELECT digest FROM contributions WHERE id IS NULL))`;

/** The segments of a ledger and the contributions made of them, until a pool has promised to keep those. */
export class LedgerSegments {
  constructor(private readonly db: Database) {}

  add(segment: SegmentRow): void {
    this.db
      .prepare<[SegmentRow]>(
        `INSERT INTO segments (${COLUMNS}) VALUES
         (@digest, @model, @scheme, @sentences, @tokens, @bytes, @certified, @inventory, @keptTypes, @copies)`,
      )
      .run(segment);
  }

  /** Those that wait for a pool to promise to keep them, in the order of their digests. */
  pending(): SegmentRow[] {
    return this.#where(PENDING);
  }

  /** Those of them that no contribution names yet. */
  unclaimed(): SegmentRow[] {
    return this.#where('contribution IS NULL AND dropped = 0');
  }

  /** Undefined where the ledger does not know it; with what became of the contribution that names it. */
  find(digest: string): FoundSegment | undefined {
    const [segment] = this.#where('digest = ?', digest);
    if (!segment) return undefined;
    const found = this.db
      .prepare<[string], { id: string | null; sent: number }>(
        `SELECT id, sent FROM contributions
         WHERE digest = (SELECT contribution FROM segments WHERE digest = ?)`,
      )
      .get(digest);
    return { segment, id: found?.id ?? null, isSent: found?.sent === 1 };
  }

  /** It waits no longer, and counts as released for good; a contribution that names it still does. */
  drop(digest: string): void {
    this.db.prepare('UPDATE segments SET dropped = 1 WHERE digest = ?').run(digest);
  }

  /** Digests of those that were dropped. */
  dropped(): Set<string> {
    const dropped = this.db.prepare<[], string>('SELECT digest FROM segments WHERE dropped = 1');
    return new Set(dropped.pluck().all());
  }

  of(contribution: string): SegmentRow[] {
    return this.#where('contribution = ?', contribution);
  }

  /** The most copies of a note that any of them was made with; 1 where there are none. */
  mostCopies(): number {
    const most = this.db.prepare<[], number | null>('SELECT max(copies) FROM segments').pluck();
    return most.get() ?? 1;
  }

  /** Each list of types that any of them kept where the others were replaced. */
  keptTypes(): string[] {
    return this.db
      .prepare<[], string>('SELECT DISTINCT kept_types FROM segments ORDER BY kept_types')
      .pluck()
      .all();
  }

  /** Contributions that were signed and not yet accepted. */
  pendingContributions(): PendingRow[] {
    return this.db
      .prepare<[], ContributionRow & { sent: number }>(
        'SELECT digest, envelope, sent FROM contributions WHERE id IS NULL ORDER BY digest',
      )
      .all()
      .map(({ sent, ...row }) => ({ ...row, isSent: sent === 1 }));
  }

  /** A pool is about to be asked to take the contribution, or has refused it. */
  recordSent(contribution: string, isSent: boolean): void {
    this.db
      .prepare('UPDATE contributions SET sent = ? WHERE digest = ?')
      .run(isSent ? 1 : 0, contribution);
  }

  /** Stores a signed contribution before its first attempt, so that each retry sends the same one. */
  recordContribution({ digest, envelope }: ContributionRow, segments: readonly SegmentRow[]): void {
    this.db
      .prepare('INSERT INTO contributions (digest, envelope) VALUES (?, ?)')
      .run(digest, envelope);
    const claim = this.db.prepare('UPDATE segments SET contribution = ? WHERE digest = ?');
    for (const segment of segments) claim.run(digest, segment.digest);
  }

  /** Takes back a contribution that no pool has accepted; its segments wait again, save those that were dropped. */
  dropContribution(digest: string): void {
    this.db.prepare('UPDATE segments SET contribution = NULL WHERE contribution = ?').run(digest);
    this.db.prepare('DELETE FROM contributions WHERE digest = ? AND id IS NULL').run(digest);
  }

  /** The pool has promised to keep the contribution, under the name `id`. */
  recordAcceptance(contribution: string, id: string): void {
    this.db.prepare('UPDATE contributions SET id = ? WHERE digest = ?').run(id, contribution);
  }

  #where(condition: string, ...values: readonly string[]): SegmentRow[] {
    return this.db
      .prepare<string[], SegmentRow>(
        `SELECT ${SELECTED} FROM segments WHERE ${condition} ORDER BY digest`,
      )
      .all(...values);
  }
}
