import { type RawBuilder, sql } from 'kysely';
import type { ContributionManifest } from '../proto/contribution.js';
import { sha256Hex } from '../proto/digest.js';
import type { Envelope } from '../proto/dsse.js';
import { TacetError } from '../proto/errors.js';
import { keptTypesText } from '../proto/kept-types.js';
import type { CatalogTransaction, Statements } from './catalog.js';
import { currentTime } from './catalog-clock.js';
import type { ChangeLog } from './change-log.js';
import { type GivenSegments, refusals, withdrawn } from './contributed-segments.js';
import type { RecentSamples, Sample } from './recent-samples.js';
import { joinInOrder, pairsOf } from './sql-dialect.js';

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

/** As `Contributions.record`: in as few statements for many as for one, but for one each. */
export async function recordContributions(
  transaction: CatalogTransaction,
  { log, recentSamples }: RecordPlaces,
  given: readonly GivenContribution[],
  judgedTo: number | undefined,
): Promise<Recorded[]> {
  const ids = given.map(({ envelope }) => contributionId(envelope));
  const outcomes = await knownOf(transaction, ids);
  /** By their ids, of which several may be the same. */
  const unknown = new Map(
    given.flatMap((each, i) => (outcomes.has(ids[i] as string) ? [] : [[ids[i] as string, each]])),
  );
  if (unknown.size > 0 && judgedTo !== undefined)
    await requireJudged(transaction, (given[0] as GivenContribution).manifest.model, judgedTo);
  const reasons = await refusals(transaction, [...unknown.values()]);
  for (const [i, id] of [...unknown.keys()].entries()) {
    if (!reasons[i]) continue;
    outcomes.set(id, { status: 'rejected', reason: reasons[i] });
    unknown.delete(id);
  }
  await insertAll(transaction, unknown);
  const samples = [...unknown.values()].flatMap((each) => each.samples ?? []);
  await recentSamples.keep(transaction, samples);
  const heads = await log.appendAll(
    transaction,
    [...unknown].map(([subject, { manifest }]) => {
      const { institution, model } = manifest;
      return { action: 'contribution-accepted', subject, details: { institution, model } };
    }),
  );
  for (const [i, id] of [...unknown.keys()].entries())
    outcomes.set(id, { status: 'fulfilled', value: { id, sequence: heads[i]?.sequence } });
  return ids.map((id) => outcomes.get(id) as Recorded);
}

/** Of those that are kept or were withdrawn. */
async function knownOf(
  transaction: CatalogTransaction,
  ids: readonly string[],
): Promise<Map<string, Recorded>> {
  const rows = await transaction
    .selectFrom('contributions')
    .select(['id', 'withdrawn'])
    .where('id', 'in', ids)
    .execute();
  return new Map(
    rows.map((row): [string, Recorded] => [
      row.id,
      row.withdrawn === null
        ? { status: 'fulfilled', value: { id: row.id, sequence: undefined } }
        : { status: 'rejected', reason: withdrawn(`contribution ${row.id}`) },
    ]),
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

/** Who judged them may have been held up since, while others had their turn. Throws `pool-busy`. */
async function requireJudged(
  transaction: CatalogTransaction,
  model: string,
  judgedTo: number,
): Promise<void> {
  const { rows } = await sql`
    SELECT contributions.id ${acceptedAfter(transaction, judgedTo, model)} LIMIT 1`.execute(
    transaction,
  );
  if (rows.length === 0) return;
  throw new TacetError(
    'pool-busy',
    'others contributed to the same model before this contribution could be compared with theirs; send it again',
  );
}

async function insertAll(
  transaction: CatalogTransaction,
  given: ReadonlyMap<string, GivenContribution>,
): Promise<void> {
  if (given.size === 0) return;
  // By one clock for all servers, since lists and what is compared for replays are in its order.
  const received = new Date(await currentTime(transaction)).toISOString();
  await transaction
    .insertInto('contributions')
    .values(
      [...given].map(([id, { envelope, manifest }]) => rowOf(id, envelope, manifest, received)),
    )
    .execute();
  const segments = [...given].flatMap(([id, { manifest }]) =>
    manifest.segments.map((digest): [string, string] => [digest, id]),
  );
  await sql`
    UPDATE segments SET contribution = given.second
    FROM ${pairsOf(transaction, segments)} AS given WHERE segments.digest = given.first`.execute(
    transaction,
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
