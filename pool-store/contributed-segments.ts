import { sql } from 'kysely';
import type { ContributionManifest } from '../proto/contribution.js';
import { TacetError } from '../proto/errors.js';
import { keptTypesText } from '../proto/kept-types.js';
import type { BlobRecord } from './blob-records.js';
import type { CatalogTransaction, Statements } from './catalog.js';
import {
  SEGMENT_COLUMNS,
  type SegmentRecord,
  type SegmentRow,
  segmentOf,
} from './segment-records.js';
import { joinInOrder, rowsOf } from './sql-dialect.js';

/** Segments whose fingerprints one statement looks up: one over all of a large contribution would take too long. */
const CHECKED_TOGETHER = 64;

type Upload = SegmentRow & Pick<BlobRecord, 'erased' | 'owner'>;

/**
 * Holds the segments of a contribution to what it states, and to all others of the pool; `check` sees each, and may throw.
 * Throws `contribution-invalid`, `conflict` or `withdrawn`.
 */
export async function requireSegments(
  transaction: CatalogTransaction,
  manifest: ContributionManifest,
  check: (segment: SegmentRecord) => void,
): Promise<void> {
  const uploads = await findUploads(transaction, manifest.segments);
  const segments = manifest.segments.map((digest) =>
    uploaded(uploads.get(digest), digest, manifest),
  );
  checkSegments(segments, manifest);
  for (const segment of segments) check(segment);
  await checkReplays(transaction, manifest);
}

/** Those of these digests that were uploaded, by digest. */
export async function findUploads(
  statements: Statements,
  digests: readonly string[],
): Promise<Map<string, Upload>> {
  const { rows } = await sql<Upload>`
    SELECT ${SEGMENT_COLUMNS}, erased, owner FROM ${rowsOf(statements, digests)} AS given
    JOIN segments ON segments.digest = given.value
    JOIN blobs ON blobs.digest = segments.digest`.execute(statements);
  return new Map(rows.map((upload) => [upload.digest, upload]));
}

/** The segment that the institution uploaded. Throws `contribution-invalid`, `conflict` or `withdrawn`. */
function uploaded(
  segment: Upload | undefined,
  digest: string,
  { institution }: ContributionManifest,
): SegmentRecord {
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

function checkSegments(segments: readonly SegmentRecord[], manifest: ContributionManifest): void {
  for (const segment of segments) {
    if (segment.modelDigest !== manifest.model) throw differs(segment, 'model');
    if (segment.labelSchemeDigest !== manifest.labelScheme) throw differs(segment, 'label scheme');
    if (segment.entities !== manifest.entities) throw differs(segment, 'treatment of entities');
    if (keptTypesText(segment.keptTypes) !== keptTypesText(manifest.keptTypes))
      throw differs(segment, 'list of types whose entities were kept');
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

/** A sentence that was released is in one segment, once: a second time is no new evidence. */
async function checkReplays(
  transaction: CatalogTransaction,
  { segments }: ContributionManifest,
): Promise<void> {
  for (let from = 0; from < segments.length; from += CHECKED_TOGETHER) {
    const checked = rowsOf(transaction, segments.slice(from, from + CHECKED_TOGETHER));
    const { rows } = await sql<{ digest: string; segment: string }>`
      SELECT own.segment AS digest, other.segment FROM ${checked} AS checked
        ${joinInOrder(transaction)} fingerprints AS own ON own.segment = checked.value
        ${joinInOrder(transaction)} fingerprints AS other ON other.fingerprint = own.fingerprint
        ${joinInOrder(transaction)} segments ON segments.digest = other.segment
      WHERE (other.segment = own.segment AND own.copies > 1)
        OR (other.segment <> own.segment AND (
          segments.contribution IS NOT NULL
          OR other.segment IN (SELECT value FROM ${rowsOf(transaction, segments)} AS given)))
      LIMIT 1`.execute(transaction);
    if (rows[0])
      throw new TacetError(
        'contribution-invalid',
        `segment ${rows[0].digest} repeats vectors of segment ${rows[0].segment}; a release is given once`,
      );
  }
}

function differs({ digest }: SegmentRecord, what: string): TacetError {
  return new TacetError('contribution-invalid', `segment ${digest} has another ${what}`);
}

export function withdrawn(what: string): TacetError {
  return new TacetError('withdrawn', `${what} was withdrawn; encode anew under a new budget`);
}
