import { Type } from 'typebox';
import { type ContributionManifest, parseContribution } from '../proto/contribution.js';
import { sha256Hex } from '../proto/digest.js';
import type { Envelope } from '../proto/dsse.js';
import { ENTITY_TREATMENTS } from '../proto/entity-treatment.js';
import { TacetError } from '../proto/errors.js';
import { DIGEST, NAME, NATURAL, TIME } from '../proto/schemas.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../proto/typed-schema.js';
import type { BlobRecord } from './blob-records.js';
import type { Blobs } from './blobs.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import {
  SEGMENT_COLUMNS,
  type SegmentRecord,
  type SegmentRow,
  segmentOf,
} from './segment-records.js';

export const CONTRIBUTION = closedObject(
  {
    /** SHA-256 of the signed payload. */
    id: DIGEST,
    institution: NAME,
    keyId: DIGEST,
    model: DIGEST,
    labelScheme: DIGEST,
    entities: oneOf(ENTITY_TREATMENTS),
    /** SHA-256 of the inventory that replaced entities, in hex. */
    inventory: nullable(DIGEST),
    /** How often each note was replaced, each time by other entities; 1 where it does not say so. */
    copies: NATURAL,
    received: TIME,
    withdrawn: nullable(TIME),
    segments: NATURAL,
    sentences: NATURAL,
    tokens: NATURAL,
    bytes: NATURAL,
    /** Whether segments of format 1 are among them, which give the casing of every token away. */
    casingInClear: Type.Boolean(),
  },
  { title: 'Contribution' },
);

/** What an institution gave at one time. */
export type Contribution = TypeOf<typeof CONTRIBUTION>;

/** As the catalog gives it. */
export type ContributionRow = Omit<Contribution, 'casingInClear'> & {
  readonly casingInClear: 0 | 1;
};

type Upload = SegmentRow & Pick<BlobRecord, 'erased' | 'owner'>;

/** Every contribution with the sums over its segments, to be grouped by its id. */
export const CONTRIBUTIONS = `
  SELECT contributions.id, institution, key_id AS keyId, contributions.model,
    contributions.label_scheme AS labelScheme, contributions.entities, inventory, copies,
    received, withdrawn,
    count(*) AS segments, sum(sentences) AS sentences, sum(tokens) AS tokens, sum(bytes) AS bytes,
    min(segments.format) = 1 AS casingInClear
  FROM contributions JOIN segments ON segments.contribution = contributions.id`;

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
   * nothing. `check` sees every segment and may throw. Throws `contribution-invalid`, `conflict` or
   * `withdrawn`.
   */
  async accept(
    envelope: Envelope,
    manifest: ContributionManifest,
    check: (segment: SegmentRecord) => void = () => {},
  ): Promise<Contribution> {
    const id = idOf(envelope);
    if (!this.#find(id)) await this.#requireBytes(manifest);
    return inTransaction(this.catalog, () => {
      const known = this.#find(id);
      if (known?.withdrawn) throw withdrawn(`contribution ${id}`);
      if (known) return known;
      const segments = manifest.segments.map((digest) => this.#uploaded(digest, manifest));
      checkSegments(segments, manifest);
      for (const segment of segments) {
        check(segment);
        this.#checkReplays(segment, manifest);
      }
      this.#insert(id, envelope, manifest);
      const { institution, model } = manifest;
      this.log.append('contribution-accepted', id, { institution, model });
      return this.get(id);
    });
  }

  /** Throws `not-found`. */
  get(id: string): Contribution {
    const contribution = this.#find(id);
    if (!contribution) throw new TacetError('not-found', `there is no contribution ${id}`);
    return contribution;
  }

  count(): { kept: number; withdrawn: number } {
    const row = this.catalog.get<{ kept: number; withdrawn: number }>(
      'SELECT count(*) - count(withdrawn) AS kept, count(withdrawn) AS withdrawn FROM contributions',
    );
    return row ?? { kept: 0, withdrawn: 0 };
  }

  /** All, or those of one institution, oldest first. */
  list(institution?: string): Contribution[] {
    return this.catalog
      .all<ContributionRow>(
        `${CONTRIBUTIONS} WHERE @institution IS NULL OR institution = @institution
         GROUP BY contributions.id ORDER BY received, contributions.id`,
        { institution: institution ?? null },
      )
      .map(contributionOf);
  }

  /** The contribution that this envelope made, or undefined. */
  find(envelope: Envelope): Contribution | undefined {
    return this.#find(idOf(envelope));
  }

  /** The newest segments of a model that were contributed and not withdrawn, oldest first. */
  newestSegments(model: string, count: number): SegmentRecord[] {
    return this.catalog
      .all<SegmentRow>(
        `SELECT ${SEGMENT_COLUMNS} FROM segments
         JOIN contributions ON contributions.id = segments.contribution
         WHERE segments.model = ? AND withdrawn IS NULL
         ORDER BY received DESC, segments.digest LIMIT ?`,
        model,
        count,
      )
      .map(segmentOf)
      .reverse();
  }

  /** A segment as it was uploaded, whether it was contributed or not. */
  findSegment(digest: string): SegmentRecord | undefined {
    const row = this.catalog.get<SegmentRow>(
      `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE digest = ?`,
      digest,
    );
    return row && segmentOf(row);
  }

  segmentsOf(id: string): SegmentRecord[] {
    return this.catalog
      .all<SegmentRow>(
        `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE contribution = ? ORDER BY digest`,
        id,
      )
      .map(segmentOf);
  }

  /** What was signed; the signature was verified when it was accepted. Throws `not-found`. */
  manifestOf(id: string): ContributionManifest {
    const payload = Buffer.from(this.envelopeOf(id).payload, 'base64');
    return parseContribution(JSON.parse(payload.toString('utf8')));
  }

  /** The envelope as it was signed. */
  envelopeOf(id: string): Envelope {
    const row = this.catalog.get<{ envelope: string }>(
      'SELECT envelope FROM contributions WHERE id = ?',
      id,
    );
    if (!row) throw new TacetError('not-found', `there is no contribution ${id}`);
    return JSON.parse(row.envelope);
  }

  /**
   * Erases the bytes and leaves a tombstone. The tombstone is committed first: after a crash in
   * between, the next start erases the rest. Withdrawing again changes nothing. Throws `not-found`.
   */
  async withdraw(id: string): Promise<Contribution> {
    inTransaction(this.catalog, () => {
      if (this.get(id).withdrawn !== null) return;
      const time = now();
      this.catalog.run('UPDATE contributions SET withdrawn = ? WHERE id = ?', time, id);
      this.catalog.run(
        `UPDATE blobs SET erased = ?
           WHERE digest IN (SELECT digest FROM segments WHERE contribution = ?)`,
        time,
        id,
      );
      this.log.append('contribution-withdrawn', id);
    });
    for (const { digest } of this.segmentsOf(id)) await this.blobs.erase(digest);
    return this.get(id);
  }

  #find(id: string): Contribution | undefined {
    const row = this.catalog.get<ContributionRow>(
      `${CONTRIBUTIONS} WHERE contributions.id = ? GROUP BY contributions.id`,
      id,
    );
    return row && contributionOf(row);
  }

  #insert(id: string, envelope: Envelope, manifest: ContributionManifest): void {
    const { institution, keyId, model, labelScheme, entities, inventory, copies } = manifest;
    this.catalog.run(
      'INSERT INTO contributions VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)',
      id,
      institution,
      keyId,
      model,
      labelScheme,
      JSON.stringify(envelope),
      now(),
      entities,
      inventory,
      copies,
    );
    for (const digest of manifest.segments) {
      this.catalog.run('UPDATE segments SET contribution = ? WHERE digest = ?', id, digest);
    }
  }

  /** A promise is made for bytes that are there, not for rows that name them. */
  async #requireBytes({ segments, institution }: ContributionManifest): Promise<void> {
    for (const digest of segments) {
      const segment = this.#findUpload(digest);
      // What is another's or was withdrawn is refused below.
      if (segment?.owner !== institution || segment.erased !== null) continue;
      if ((await this.blobs.size(digest)) === segment.bytes) continue;
      throw new TacetError('contribution-invalid', `segment ${digest} is lost; upload it again`);
    }
  }

  #findUpload(digest: string): Upload | undefined {
    return this.catalog.get<Upload>(
      `SELECT ${SEGMENT_COLUMNS}, erased, owner FROM segments JOIN blobs USING (digest)
       WHERE digest = ?`,
      digest,
    );
  }

  #uploaded(digest: string, { institution }: ContributionManifest): SegmentRecord {
    const segment = this.#findUpload(digest);
    // One answer for both, so that a digest tells nothing about the segments of others.
    if (segment?.owner !== institution) {
      throw new TacetError(
        'contribution-invalid',
        `segment ${digest} was not uploaded by ${institution}, or by another before; upload it, or encode anew`,
      );
    }
    if (segment.erased !== null) throw withdrawn(`segment ${digest}`);
    if (segment.contribution !== null) {
      throw new TacetError('conflict', `segment ${digest} belongs to another contribution`);
    }
    return segmentOf(segment);
  }

  /** A sentence that was released is in one segment, once: a second time is no new evidence. */
  #checkReplays({ digest }: SegmentRecord, manifest: ContributionManifest): void {
    const copy = this.catalog.get<{ segment: string }>(
      `SELECT other.segment FROM fingerprints AS own
         JOIN fingerprints AS other USING (fingerprint)
         JOIN segments ON segments.digest = other.segment
         WHERE own.segment = ? AND (
           (other.segment = own.segment AND own.copies > 1)
           OR (other.segment <> own.segment AND (
             segments.contribution IS NOT NULL
             OR other.segment IN (SELECT value FROM json_each(?))))
         ) LIMIT 1`,
      digest,
      JSON.stringify(manifest.segments),
    );
    if (!copy) return;
    throw new TacetError(
      'contribution-invalid',
      `segment ${digest} repeats vectors of segment ${copy.segment}; a release is given once`,
    );
  }
}

export function contributionOf(row: ContributionRow): Contribution {
  return { ...row, casingInClear: row.casingInClear === 1 };
}

function idOf({ payload }: Envelope): string {
  return sha256Hex(Buffer.from(payload, 'base64'));
}

function checkSegments(segments: readonly SegmentRecord[], manifest: ContributionManifest): void {
  for (const segment of segments) {
    if (segment.modelDigest !== manifest.model) throw differs(segment, 'model');
    if (segment.labelSchemeDigest !== manifest.labelScheme) throw differs(segment, 'label scheme');
    if (segment.entities !== manifest.entities) throw differs(segment, 'treatment of entities');
    if (segment.dimension !== segments[0].dimension) throw differs(segment, 'dimension');
  }
  checkCount('sentences', segments, manifest);
  checkCount('tokens', segments, manifest);
}

function checkCount(
  what: 'sentences' | 'tokens',
  segments: readonly SegmentRecord[],
  { counts }: ContributionManifest,
): void {
  const found = segments.reduce((sum, segment) => sum + segment[what], 0);
  if (found === counts[what]) return;
  throw new TacetError(
    'contribution-invalid',
    `the contribution states ${counts[what]} ${what}; its segments hold ${found}`,
  );
}

function differs({ digest }: SegmentRecord, what: string): TacetError {
  return new TacetError('contribution-invalid', `segment ${digest} has another ${what}`);
}

function withdrawn(what: string): TacetError {
  return new TacetError('withdrawn', `${what} was withdrawn; encode anew under a new budget`);
}
