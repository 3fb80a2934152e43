import type { ContributionManifest } from '../../proto/contribution.js';
import { sha256Hex } from '../../proto/digest.js';
import type { Envelope } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { keptTypesText } from '../../proto/kept-types.js';
import type { CatalogTransaction, Statements } from '../catalog/catalog.js';
import { timeQuery } from '../catalog/catalog-clock.js';
import { type CompiledQuery, type RawBuilder, sql } from '../catalog/kysely.js';
import { joinInOrder, pairsOf } from '../catalog/sql-dialect.js';
import { send, together } from '../catalog/together.js';
import type { ChangeLog } from '../log/change-log.js';
import {
  SEGMENT_COLUMNS,
  type SegmentRecord,
  type SegmentRow,
  segmentOf,
} from '../segments/segment-records.js';
import {
  digestsOf,
  type GivenSegments,
  refusals,
  repeatQueries,
  uploadsQuery,
  withdrawn,
} from './contributed-segments.js';
import type { RecentSamples, Sample } from './recent-samples.js';

/** A contribution whose signature was verified. */
export interface GivenContribution extends GivenSegments {
  readonly envelope: Envelope;
  /** Of its segments, as far as others are to be told. */
  readonly samples?: readonly Sample[] | undefined;
}

/** What a record goes to besides the contribution's own rows. */
interface RecordPlaces {
  readonly log: ChangeLog;
  readonly recentSamples: RecentSamples;
}

/** A contribution that is kept. */
export interface Accepted {
  readonly id: string;
  /** Of the entry of the log that says so; undefined where it was kept before. */
  readonly sequence: number | undefined;
}

/** Rejected with `contribution-invalid`, `conflict` or `withdrawn`. */
export type Recorded = PromiseSettledResult<Accepted>;

export function contributionId({ payload }: Envelope): string {
  return sha256Hex(Buffer.from(payload, 'base64'));
}

/** A segment, and its sample where the catalog has it. */
export interface SampledSegment {
  readonly segment: SegmentRecord;
  readonly points: Uint8Array | undefined;
}

/** What contributions to one model, with vectors of one dimension, were compared with before they are recorded. */
export interface Judgement {
  readonly dimension: number;
  /** Sequence number of the entry up to which they were compared with all that the log has. */
  readonly judgedTo: number;
  /**
   * Compares them with what came since, oldest first, which those who record wait for; returns of each why it is refused, if
   * it is. Throws `pool-busy` where it cannot, or that would take too long.
   */
  compare(
    given: readonly GivenContribution[],
    since: readonly SampledSegment[],
  ): readonly (TacetError | undefined)[];
}

/** More that came since the judgement is not compared while others wait. */
const MOST_SINCE = 64;

/**
 * As `Contributions.record`: in as few statements for many as for one, all that is asked in one round and all that is written in
 * another.
 */
export async function recordContributions(
  transaction: CatalogTransaction,
  { log, recentSamples }: RecordPlaces,
  given: readonly GivenContribution[],
  judgement: Judgement | undefined,
): Promise<Recorded[]> {
  const ids = given.map(({ envelope }) => contributionId(envelope));
  const { model } = (given[0] as GivenContribution).manifest;
  const [found, since, uploads, time, heads, ...repeats] = await together(
    transaction,
    knownQuery(transaction, ids),
    sinceQuery(transaction, model, judgement, recentSamples.isShared),
    uploadsQuery(transaction, digestsOf(given)),
    timeQuery(transaction),
    log.newest(transaction),
    ...repeatQueries(transaction, given),
  );
  const outcomes = new Map(found.rows.map((row) => [row.id, outcomeOf(row)]));
  /** By their ids, of which several may be the same. */
  const unknown = new Map(
    given.flatMap((each, i) => (outcomes.has(ids[i] as string) ? [] : [[ids[i] as string, each]])),
  );
  const asked = [...unknown.values()];
  const reasons = await refusals(
    transaction,
    asked,
    { uploads: uploads.rows, doAnyRepeat: repeats.some(({ rows }) => rows.length > 0) },
    judgement && since.rows.length > 0 ? compared(asked, since.rows, judgement) : [],
  );
  for (const [i, id] of [...unknown.keys()].entries()) {
    if (!reasons[i]) continue;
    outcomes.set(id, { status: 'rejected', reason: reasons[i] });
    unknown.delete(id);
  }
  // By one clock for all servers, since lists and what is compared for replays are in its order.
  await insertAll(transaction, unknown, new Date(time.rows[0]?.now ?? Number.NaN).toISOString());
  await recentSamples.keep(
    transaction,
    [...unknown.values()].flatMap((each) => each.samples ?? []),
  );
  const after = await log.appendAll(
    transaction,
    [...unknown].map(([subject, { manifest }]) => {
      const { institution, model } = manifest;
      return { action: 'contribution-accepted', subject, details: { institution, model } };
    }),
    heads.rows[0],
  );
  for (const [i, id] of [...unknown.keys()].entries())
    outcomes.set(id, { status: 'fulfilled', value: { id, sequence: after[i]?.sequence } });
  return ids.map((id) => outcomes.get(id) as Recorded);
}

interface KnownRow {
  readonly id: string;
  readonly withdrawn: string | null;
}

function knownQuery(
  transaction: CatalogTransaction,
  ids: readonly string[],
): CompiledQuery<KnownRow> {
  const asked = sql.join(ids);
  return sql<KnownRow>`
    SELECT id, withdrawn FROM contributions WHERE id IN (${asked})
    UNION ALL SELECT id, withdrawn FROM lost_withdrawals WHERE id IN (${asked})`.compile(
    transaction,
  );
}

function outcomeOf({ id, withdrawn: time }: KnownRow): Recorded {
  return time === null
    ? { status: 'fulfilled', value: { id, sequence: undefined } }
    : { status: 'rejected', reason: withdrawn(`contribution ${id}`) };
}

type SinceRow = SegmentRow & { readonly points: Uint8Array | null };

/** One row more than is compared. */
function sinceQuery(
  transaction: CatalogTransaction,
  model: string,
  judgement: Judgement | undefined,
  isShared: boolean,
): CompiledQuery<SinceRow> {
  const { judgedTo = 0, dimension = 0 } = judgement ?? {};
  const points = isShared ? sql`recent_samples.points` : sql`NULL`;
  const samples = isShared
    ? sql`LEFT JOIN recent_samples ON recent_samples.segment = segments.digest`
    : sql``;
  const segments = sql`
    ${joinInOrder(transaction)} segments ON segments.contribution = contributions.id ${samples}`;
  return sql<SinceRow>`
    SELECT ${SEGMENT_COLUMNS}, ${points} AS points
    ${acceptedAfter(transaction, judgedTo, model, segments)} AND segments.dimension = ${dimension}
    ORDER BY log.sequence, segments.digest
    LIMIT ${judgement ? MOST_SINCE + 1 : 0}`.compile(transaction);
}

function compared(
  given: readonly GivenContribution[],
  since: readonly SinceRow[],
  judgement: Judgement,
): readonly (TacetError | undefined)[] {
  if (since.length > MOST_SINCE) throw overtaken();
  return judgement.compare(
    given,
    since.map(({ points, ...row }) => ({ segment: segmentOf(row), points: points ?? undefined })),
  );
}

/** Others came between the judgement and the record. */
export function overtaken(): TacetError {
  return new TacetError(
    'pool-busy',
    'others contributed to the same model before this contribution could be compared with theirs; send it again',
  );
}

/** The contributions to a model that the log has after an entry and that were not withdrawn; a query from FROM on. */
export function acceptedAfter(
  statements: Statements,
  sequence: number,
  model: string,
  joined: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    FROM log ${joinInOrder(statements)} contributions ON contributions.id = log.subject ${joined}
    WHERE log.sequence > ${sequence} AND action = 'contribution-accepted'
      AND contributions.model = ${model} AND withdrawn IS NULL`;
}

async function insertAll(
  transaction: CatalogTransaction,
  given: ReadonlyMap<string, GivenContribution>,
  received: string,
): Promise<void> {
  if (given.size === 0) return;
  const rows = [...given].map(([id, { envelope, manifest }]) =>
    rowOf(id, envelope, manifest, received),
  );
  const segments = [...given].flatMap(([id, { manifest }]) =>
    manifest.segments.map((digest): [string, string] => [digest, id]),
  );
  const update = sql`
    UPDATE segments SET contribution = given.second
    FROM ${pairsOf(transaction, segments)} AS given WHERE segments.digest = given.first`;
  await send(
    transaction,
    transaction.insertInto('contributions').values(rows).compile(),
    update.compile(transaction),
  );
}

function rowOf(
  id: string,
  envelope: Envelope,
  {
    institution,
    keyId,
    model,
    labelScheme,
    entities,
    inventory,
    copies,
    keptTypes,
  }: ContributionManifest,
  received: string,
) {
  return {
    ...{ id, institution, key_id: keyId, model, label_scheme: labelScheme, received },
    envelope: JSON.stringify(envelope),
    ...{ entities, inventory, copies, kept_types: keptTypesText(keptTypes) },
  };
}
