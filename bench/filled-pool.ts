import { createHash, generateKeyPairSync } from 'node:crypto';
import type { CatalogTransaction } from '../pool-store/catalog/catalog.js';
import type { CatalogTables } from '../pool-store/catalog/catalog-tables.js';
import { type Insertable, sql } from '../pool-store/catalog/kysely.js';
import { hashOf } from '../pool-store/log/log-chain.js';
import type { Store } from '../pool-store/store.js';
import { signContribution } from '../proto/contribution.js';
import { sha256Hex } from '../proto/digest.js';
import { rawPublicKey } from '../proto/ed25519-key.js';
import { SEGMENT_SHAPE } from './segment-shape.js';

/** What a filled pool is made of. */
export interface Filling {
  readonly contributions: number;
  readonly institutions: number;
  /** Each with everything that was given before it. */
  readonly snapshots: number;
}

export const SENTENCES = Number(process.env.TACET_BENCH_SENTENCES) || 100;
const TOKENS = 1500;
const BYTES = 100_000;
/** As `SentenceStatistics` leaves them: one sentence in sixteen, and one range for each length. */
const FINGERPRINTS = Math.round(SENTENCES / 16);
const NORMS = JSON.stringify(
  Array.from({ length: 30 }, (_, i) => ({
    tokens: i + 1,
    least: 1.3 + 0.0101 * i,
    most: 1.7 + 0.0103 * i,
  })),
);
const PROBES = JSON.stringify(Array.from({ length: 32 }, (_, i) => 217 + 3119 * i));
const FIRST_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
/** One contribution in so many is withdrawn after the snapshots were made. */
const WITHDRAWN_EACH = 100;
/** Written in one transaction, and in one statement: each row has some ten values, of which a statement has a limit. */
const BATCH = 10_000;
const ROWS = 500;

type Rows = { readonly [Table in keyof CatalogTables]?: Insertable<CatalogTables[Table]>[] };

/** Writes a pool's catalog as so many contributions would leave it; there are no bytes to it. */
export async function fillPool(
  store: Store,
  { contributions, institutions, snapshots }: Filling,
): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { keyId } = await store.identities.request('institution-0', rawPublicKey(publicKey));
  await store.identities.approve(keyId);
  for (let first = 0; first < contributions; first += BATCH) {
    const stop = Math.min(contributions, first + BATCH);
    await store.catalog.write(async (transaction) => {
      let head = await store.log.head(transaction);
      const logged = (time: string, action: string, subject: string, details: object) => {
        const { sequence, hash: previous } = head;
        const entry = { sequence: sequence + 1, time, action, subject, previous };
        const hash = hashOf({ ...entry, details: details as Record<string, unknown> });
        head = { sequence: entry.sequence, hash };
        return { ...entry, details: JSON.stringify(details), hash };
      };
      const batch = Array.from({ length: stop - first }, (_, i) => {
        const number = first + i;
        const institution = `institution-${number % institutions}`;
        const digest = sha256Hex(`segment ${number}`);
        const received = new Date(FIRST_MS + number * MINUTE_MS).toISOString();
        const envelope = signContribution(
          {
            model: SEGMENT_SHAPE.modelDigest,
            labelScheme: SEGMENT_SHAPE.labelSchemeDigest,
            ...{ segments: [digest], limit: 0.6, terms: 'research', institution },
            counts: { sentences: SENTENCES, tokens: TOKENS },
            time: received,
          },
          privateKey,
        );
        const id = sha256Hex(Buffer.from(envelope.payload, 'base64'));
        const model = SEGMENT_SHAPE.modelDigest;
        return { digest, institution, received, id, envelope: JSON.stringify(envelope), model };
      });
      await insert(transaction, {
        blobs: batch.map(({ digest, received, institution }) => ({
          ...{ digest, kind: 'segment' as const, bytes: BYTES, stored: received },
          owner: institution,
        })),
        contributions: batch.map(({ id, institution, model, received, envelope }) => ({
          ...{ id, institution, key_id: keyId, model, received, envelope },
          label_scheme: SEGMENT_SHAPE.labelSchemeDigest,
        })),
        segments: batch.map(({ digest, id, model }) => ({
          ...{ digest, contribution: id, model, norms: NORMS, probes: PROBES, format: 2 as const },
          label_scheme: SEGMENT_SHAPE.labelSchemeDigest,
          label_count: SEGMENT_SHAPE.labelCount,
          dimension: SEGMENT_SHAPE.dimension,
          element_type: SEGMENT_SHAPE.elementType,
          ...{ sentences: SENTENCES, tokens: TOKENS, bytes: BYTES, mean_square_norm: 1.5 },
        })),
        fingerprints: batch.flatMap(({ digest }) =>
          Array.from({ length: FINGERPRINTS }, (_, i) => ({
            fingerprint: createHash('md5').update(`${digest} ${i}`).digest(),
            ...{ segment: digest, copies: 1 },
          })),
        ),
        log: batch.flatMap(({ digest, id, institution, model, received }) => [
          logged(received, 'blob-stored', digest, { kind: 'segment', bytes: BYTES }),
          logged(received, 'contribution-accepted', id, { institution, model }),
        ]),
      });
    });
  }
  for (let number = 1; number <= snapshots; number++) {
    const until = FIRST_MS + ((contributions * number) / snapshots) * MINUTE_MS;
    await store.snapshots.create({ until: new Date(until).toISOString() });
  }
  await store.catalog.write((transaction) =>
    sql`UPDATE contributions SET withdrawn = received
      WHERE id IN (SELECT id FROM contributions ORDER BY id LIMIT ${Math.floor(contributions / WITHDRAWN_EACH)})`.execute(
      transaction,
    ),
  );
}

async function insert(transaction: CatalogTransaction, rows: Rows): Promise<void> {
  for (const [table, all] of Object.entries(rows))
    for (let start = 0; start < all.length; start += ROWS)
      await transaction
        .insertInto(table as 'blobs')
        .values(all.slice(start, start + ROWS) as Insertable<CatalogTables['blobs']>[])
        .execute();
}
