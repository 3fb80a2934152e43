import { generateKeyPairSync } from 'node:crypto';
import { inTransaction } from '../pool-store/catalog.js';
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
export function fillPool(store: Store, { contributions, institutions, snapshots }: Filling): void {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { keyId } = store.identities.request('institution-0', rawPublicKey(publicKey));
  store.identities.approve(keyId);
  inTransaction(store.catalog, () => {
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
      store.catalog.run(
        "INSERT INTO blobs VALUES (?, 'segment', 100000, ?, NULL, ?)",
        digest,
        received,
        institution,
      );
      store.catalog.run(
        "INSERT INTO contributions VALUES (?, ?, ?, ?, ?, ?, ?, NULL, 'kept', NULL, 1)",
        ...[id, institution, keyId, MODEL, LABEL_SCHEME, JSON.stringify(envelope), received],
      );
      store.catalog.run(
        "INSERT INTO segments VALUES (?, ?, ?, ?, 5, 128, 'float16', 100, 1500, 100000, 1.5, '[]', '[]', 'kept', 2)",
        ...[digest, id, MODEL, LABEL_SCHEME],
      );
      store.log.append('contribution-accepted', id, { institution, model: MODEL });
    }
  });
  for (let number = 1; number <= snapshots; number++) {
    const until = FIRST_MS + ((contributions * number) / snapshots) * MINUTE_MS;
    store.snapshots.create({ until: new Date(until).toISOString() });
  }
  store.catalog.run(
    `UPDATE contributions SET withdrawn = received WHERE rowid % ${WITHDRAWN_EACH} = 0`,
  );
}
