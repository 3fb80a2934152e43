import type { ContributionManifest } from '../../proto/contribution.js';
import { TacetError } from '../../proto/errors.js';
import { keptTypesText } from '../../proto/kept-types.js';
import type { CatalogTransaction, Statements } from '../catalog/catalog.js';
import { type CompiledQuery, sql } from '../catalog/kysely.js';
import { joinInOrder, pairsOf, rowsOf } from '../catalog/sql-dialect.js';
import type { BlobRecord } from '../segments/blob-record.js';
import {
  SEGMENT_COLUMNS,
  type SegmentRecord,
  type SegmentRow,
  segmentOf,
} from '../segments/segment-records.js';

/** Segments whose fingerprints one statement looks up: one over all of a large contribution would take too long. */
const CHECKED_TOGETHER = 64;

export type Upload = SegmentRow & Pick<BlobRecord, 'erased' | 'owner'>;

/** What of a contribution is held to the rest of the pool; `check` sees each segment, and may throw. */
export interface GivenSegments {
  readonly manifest: ContributionManifest;
  readonly check?: ((segment: SegmentRecord) => void) | undefined;
}

/** What the catalog says of the segments of contributions, found among other statements. */
export interface FoundSegments {
  readonly uploads: readonly Upload[];
  /** Whether any may repeat vectors. */
  readonly doAnyRepeat: boolean;
}

/** Finds those of these digests that were uploaded. */
export function uploadsQuery(
  statements: Statements,
  digests: readonly string[],
): CompiledQuery<Upload> {
  return sql<Upload>`
    SELECT ${SEGMENT_COLUMNS}, erased, owner FROM ${rowsOf(statements, digests)} AS given
    JOIN segments ON segments.digest = given.value
    JOIN blobs ON blobs.digest = segments.digest`.compile(statements);
}

/** Find repeats among contributions that are given together, whether each is refused for something else or not. */
export function repeatQueries(
  transaction: CatalogTransaction,
  given: readonly GivenSegments[],
): CompiledQuery<Repeat>[] {
  return repeatsOf(transaction, given, digestsOf(given));
}

/**
 * Holds the segments of contributions to what each states, to all others of the pool, and to those before it that are not
 * refused. Of each the reason why it is refused, in their order: `contribution-invalid`, `conflict` or `withdrawn`; `known` are
 * those that are there already.
 */
export async function refusals(
  transaction: CatalogTransaction,
  given: readonly GivenSegments[],
  found: FoundSegments,
  known: readonly (TacetError | undefined)[],
): Promise<(TacetError | undefined)[]> {
  const uploads = new Map(found.uploads.map((upload) => [upload.digest, upload]));
  const taken = new Set<string>();
  const reasons: (TacetError | undefined)[] = [];
  for (const [i, one] of given.entries()) {
    const { segments } = one.manifest;
    const another = segments.find((digest) => taken.has(digest));
    let reason = known[i] ?? refusalOf(one, uploads);
    if (another !== undefined) reason ??= belongsToAnother(another);
    if (!reason && found.doAnyRepeat) {
      const repeat = await firstRepeat(transaction, one, [...segments, ...taken]);
      reason = repeat && repeats(repeat);
    }
    reasons.push(reason);
    if (!reason) for (const digest of segments) taken.add(digest);
  }
  return reasons;
}

/** For itself alone. */
function refusalOf(
  { manifest, check = () => {} }: GivenSegments,
  uploads: ReadonlyMap<string, Upload>,
): TacetError | undefined {
  return refusalBy(() => {
    const segments = manifest.segments.map((digest) =>
      uploaded(uploads.get(digest), digest, manifest),
    );
    checkSegments(segments, manifest);
    for (const segment of segments) check(segment);
  });
}

export function digestsOf(given: readonly GivenSegments[]): string[] {
  return [...new Set(given.flatMap(({ manifest }) => manifest.segments))];
}

/** Why these checks refuse; throws what is no refusal. */
function refusalBy(checks: () => void): TacetError | undefined {
  try {
    checks();
    return undefined;
  } catch (error) {
    if (error instanceof TacetError) return error;
    throw error;
  }
}

/** Those of these digests that were uploaded, by digest. */
export async function findUploads(
  statements: Statements,
  digests: readonly string[],
): Promise<Map<string, Upload>> {
  const { rows } = await statements.executeQuery(uploadsQuery(statements, digests));
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
    throw belongsToAnother(digest);
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

/** A segment, and one with vectors of it, or itself where they come twice in it. */
export interface Repeat {
  readonly digest: string;
  readonly segment: string;
}

/**
 * Each finds a segment of these contributions that repeats vectors of one that was contributed, of one `among` these others,
 * or its own, and ends there, for who means harm may have made many that do. Segments that are another's are not looked
 * into while all wait.
 */
function repeatsOf(
  transaction: CatalogTransaction,
  given: readonly GivenSegments[],
  among: readonly string[],
): CompiledQuery<Repeat>[] {
  const owned = given.flatMap(({ manifest }) =>
    manifest.segments.map((digest): [string, string] => [digest, manifest.institution]),
  );
  const join = joinInOrder(transaction);
  const queries: CompiledQuery<Repeat>[] = [];
  for (let from = 0; from < owned.length; from += CHECKED_TOGETHER) {
    const checked = pairsOf(transaction, owned.slice(from, from + CHECKED_TOGETHER));
    const query = sql<Repeat>`
      SELECT own.segment AS digest, other.segment FROM ${checked} AS checked
        ${join} blobs ON blobs.digest = checked.first AND blobs.owner = checked.second
        ${join} segments AS mine ON mine.digest = checked.first AND mine.contribution IS NULL
        ${join} fingerprints AS own ON own.segment = mine.digest
        ${join} fingerprints AS other ON other.fingerprint = own.fingerprint
        ${join} segments ON segments.digest = other.segment
      WHERE (other.segment = own.segment AND own.copies > 1)
        OR (other.segment <> own.segment AND (
          segments.contribution IS NOT NULL
          OR other.segment IN (SELECT value FROM ${rowsOf(transaction, among)} AS given)))
      LIMIT 1`;
    queries.push(query.compile(transaction));
  }
  return queries;
}

async function firstRepeat(
  transaction: CatalogTransaction,
  given: GivenSegments,
  among: readonly string[],
): Promise<Repeat | undefined> {
  for (const query of repeatsOf(transaction, [given], among)) {
    const { rows } = await transaction.executeQuery(query);
    if (rows[0]) return rows[0];
  }
  return undefined;
}

/** A sentence that was released is in one segment, once: a second time is no new evidence. */
function repeats({ digest, segment }: Repeat): TacetError {
  return new TacetError(
    'contribution-invalid',
    `segment ${digest} repeats vectors of segment ${segment}; a release is given once`,
  );
}

function belongsToAnother(digest: string): TacetError {
  return new TacetError('conflict', `segment ${digest} belongs to another contribution`);
}

function differs({ digest }: SegmentRecord, what: string): TacetError {
  return new TacetError('contribution-invalid', `segment ${digest} has another ${what}`);
}

export function withdrawn(what: string): TacetError {
  return new TacetError('withdrawn', `${what} was withdrawn; encode anew under a new budget`);
}
