import { TacetError } from '../../proto/errors.js';
import { keptTypesText } from '../../proto/kept-types.js';
import type { CatalogTransaction } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import { bytesRowsOf, clock, insertOrFail, pairsOf, rowsOf } from '../catalog/sql-dialect.js';
import { send, together } from '../catalog/together.js';
import type { ChangeLog } from '../log/change-log.js';
import type { NewBlob } from './blob-record.js';
import { blocksRow } from './block-places.js';
import type { SegmentFacts } from './segment-facts.js';
import { FINGERPRINT_BYTES } from './sentence-statistics.js';

/** Of each whether it is recorded now, or why not: `store-unavailable`. */
export type BlobOutcome = PromiseSettledResult<void>;

/** As `BlobRecords.add`, of several: of each what becomes of it, in their order. */
export async function recordBlobs(
  transaction: CatalogTransaction,
  log: ChangeLog,
  blobs: readonly NewBlob[],
): Promise<BlobOutcome[]> {
  const [places, { rows: heads }] = await together(
    transaction,
    placesOf(transaction, blobs),
    log.newest(transaction),
  );
  const found = new Map(places.rows.map((place) => [place.digest, place]));
  const isCollected = ({ digest }: NewBlob) => (found.get(digest)?.collected ?? 0) > 0;
  const stored = new Date(places.rows[0]?.time ?? Number.NaN).toISOString();
  const kept = blobs.filter((blob) => !isCollected(blob));
  const fresh = new Map(
    kept.flatMap((blob) => (found.get(blob.digest)?.known ? [] : [[blob.digest, blob]])),
  );
  await insertAll(transaction, [...fresh.values()], stored);
  await giveOwners(
    transaction,
    kept.filter((blob) => fresh.get(blob.digest) !== blob),
  );
  await log.appendAll(
    transaction,
    [...fresh.values()].map(({ digest, kind, bytes }) => ({
      ...{ action: 'blob-stored', subject: digest },
      details: { kind, bytes },
    })),
    heads[0],
  );
  return blobs.map((blob) =>
    isCollected(blob)
      ? { status: 'rejected', reason: beingCollected(blob) }
      : { status: 'fulfilled', value: undefined },
  );
}

/** Names the lease under which the bytes of a blob go. */
export function collectionOf(digest: string): string {
  return `collection of ${digest}`;
}

interface Place {
  readonly digest: string;
  /** Of the catalog. */
  readonly time: number;
  readonly collected: number;
  readonly known: number;
}

/** What the catalog has of these names. */
function placesOf(transaction: CatalogTransaction, blobs: readonly NewBlob[]) {
  const digests = rowsOf(transaction, [...new Set(blobs.map(({ digest }) => digest))]);
  return sql<Place>`
    SELECT asked.value AS digest, now.value AS time,
      (SELECT count(*) FROM leases
        WHERE name = ${collectionOf('')} || asked.value AND ends > now.value) AS collected,
      (SELECT count(*) FROM blobs WHERE digest = asked.value) AS known
    FROM (SELECT ${clock(transaction)} AS value) AS now, ${digests} AS asked`.compile(transaction);
}

async function insertAll(
  transaction: CatalogTransaction,
  blobs: readonly NewBlob[],
  stored: string,
): Promise<void> {
  if (blobs.length === 0) return;
  const rows = blobs.map(({ digest, kind, bytes, owner }) => ({
    ...{ digest, kind, bytes, stored, owner },
    erased: null,
  }));
  await send(transaction, transaction.insertInto('blobs').values(rows).compile());
  const segments = blobs.flatMap(({ digest, facts }) => (facts ? [{ digest, facts }] : []));
  if (segments.length === 0) return;
  await send(transaction, transaction.insertInto('segments').values(segments.map(rowOf)).compile());
  // One statement for all of a segment: values in a statement each take several times as long.
  for (const { digest, facts } of segments)
    await send(
      transaction,
      sql`${insertOrFail(transaction)} INTO fingerprints (fingerprint, segment, copies)
        SELECT listed.value, ${digest}, count(*)
        FROM ${bytesRowsOf(transaction, facts.fingerprints, FINGERPRINT_BYTES)} AS listed
        GROUP BY listed.value`.compile(transaction),
    );
}

function rowOf({ digest, facts }: { readonly digest: string; readonly facts: SegmentFacts }) {
  return {
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
  };
}

/** To those that have none. */
async function giveOwners(
  transaction: CatalogTransaction,
  blobs: readonly NewBlob[],
): Promise<void> {
  const owned = blobs.flatMap(({ digest, owner }): [string, string][] =>
    owner === null ? [] : [[digest, owner]],
  );
  if (owned.length === 0) return;
  const update = sql`
    UPDATE blobs SET owner = given.second FROM ${pairsOf(transaction, owned)} AS given
    WHERE blobs.digest = given.first AND blobs.owner IS NULL`;
  await send(transaction, update.compile(transaction));
}

function beingCollected({ digest }: NewBlob): TacetError {
  return new TacetError(
    'store-unavailable',
    `blob ${digest} is being collected, since nothing used it; try again`,
  );
}
