import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../pool-store/store.js';
import { signContribution } from '../proto/contribution.js';
import { sha256Hex } from '../proto/digest.js';
import { rawPublicKey } from '../proto/ed25519-key.js';

/** What a filled pool is made of. */
export interface Filling {
  readonly contributions: number;
  readonly institutions: number;
  /** Each with everything that was given before it. */
  readonly snapshots: number;
}

const MODEL = 'ab'.repeat(32);
const LABEL_SCHEME = 'cd'.repeat(32);
const FIRST_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
/** One contribution in so many is withdrawn after the snapshots were made. */
const WITHDRAWN_EACH = 100;

/** Writes a pool's catalog as so many contributions would leave it; there are no bytes to it. */
export async function fillPool(
  store: Store,
  { contributions, institutions, snapshots }: Filling,
): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { keyId } = await store.identities.request('institution-0', rawPublicKey(publicKey));
  await store.identities.approve(keyId);
  await store.catalog.write(async (transaction) => {
    for (let number = 0; number < contributions; number++) {
      const institution = `institution-${number % institutions}`;
      const digest = sha256Hex(`segment ${number}`);
      const received = new Date(FIRST_MS + number * MINUTE_MS).toISOString();
      const envelope = signContribution(
        {
          ...{ model: MODEL, labelScheme: LABEL_SCHEME, segments: [digest], limit: 0.6 },
          ...{ counts: { sentences: 100, tokens: 1500 }, terms: 'research', institution },
          time: received,
        },
        privateKey,
      );
      const id = sha256Hex(Buffer.from(envelope.payload, 'base64'));
      const of = { model: MODEL, label_scheme: LABEL_SCHEME };
      await transaction
        .insertInto('blobs')
        .values({ digest, kind: 'segment', bytes: 100_000, stored: received, owner: institution })
        .execute();
      await transaction
        .insertInto('contributions')
        .values({
          ...{ id, institution, key_id: keyId, ...of, received },
          envelope: JSON.stringify(envelope),
        })
        .execute();
      await transaction
        .insertInto('segments')
        .values({
          ...{ digest, contribution: id, ...of, label_count: 5, dimension: 128, format: 2 },
          ...{ element_type: 'float16', sentences: 100, tokens: 1500, bytes: 100_000 },
          mean_square_norm: 1.5,
        })
        .execute();
      await store.log.append(transaction, 'contribution-accepted', id, {
        institution,
        model: MODEL,
      });
    }
  });
  for (let number = 1; number <= snapshots; number++) {
    const until = FIRST_MS + ((contributions * number) / snapshots) * MINUTE_MS;
    await store.snapshots.create({ until: new Date(until).toISOString() });
  }
  await store.catalog.write((transaction) =>
    sql`UPDATE contributions SET withdrawn = received
      WHERE id IN (SELECT id FROM contributions ORDER BY id LIMIT ${contributions / WITHDRAWN_EACH})`.execute(
      transaction,
    ),
  );
}
