import { generateKeyPairSync } from 'node:crypto';
import { sql } from '../../../../pool-store/catalog/kysely.js';
import type { Contribution } from '../../../../pool-store/contributions/contribution-records.js';
import type { Snapshot } from '../../../../pool-store/snapshots/snapshot.js';
import type { Store } from '../../../../pool-store/store.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import { changeRows } from '../../../pool-store/changed-rows.js';
import { openStore } from '../../../pool-store/opened-store.js';
import { shape } from '../../../proto/encoded-sentences.js';
import { createWorld, type World } from '../../made-world.js';
import { enrolledKey, give } from './store-giver.js';

/** A store as it is after some months: gifts, withdrawals, snapshots, training, and something that waits. */
export interface FurnishedPool {
  readonly world: World;
  /** Of the institution whose token is `world.tokens.institution`. */
  readonly own: Readonly<Record<'replaced' | 'kept' | 'copied' | 'withdrawn', Contribution>>;
  /** Of another institution. */
  readonly foreign: Contribution;
  /** The first holds what was withdrawn since; the last holds most. */
  readonly snapshots: Readonly<Record<'gone' | 'replaced' | 'kept', Snapshot>>;
  /** The id of a key that nobody has approved. */
  readonly waitingKey: string;
  /** The id of a token that may be rotated and revoked. */
  readonly spareToken: string;
}

const INVENTORY = '12'.repeat(32);
const TERMS = 'For training de-identifiers within the network of hospitals, until the end of 2032.';

export async function furnishPool(data?: string): Promise<FurnishedPool> {
  const world = await createWorld(data);
  const store = await openStore(world.data);
  try {
    await publishModel(store);
    const giveOwn = (seed: number, gift: Partial<Parameters<typeof give>[3]> = {}) =>
      give(store, 'institution', world.keys.institution, { seed, terms: TERMS, ...gift });
    const replaced = { inventory: INVENTORY };
    const own = {
      replaced: await giveOwn(1, { ...replaced, segments: 3, length: 40 }),
      kept: await giveOwn(2, { limit: 0.6, length: 25 }),
      copied: await giveOwn(3, { ...replaced, copies: 3, length: 60 }),
      withdrawn: await giveOwn(4, { limit: 0.58 }),
    };
    const north = await enrolledKey(store, 'north-general');
    const foreign = await give(store, 'north-general', north, {
      seed: 10,
      ...replaced,
      length: 55,
    });
    await give(store, 'north-general', north, { seed: 11, length: 15 });
    const south = await enrolledKey(store, 'south-valley-childrens-hospital');
    await give(store, 'south-valley-childrens-hospital', south, {
      seed: 20,
      ...replaced,
      length: 30,
    });
    const gone = await store.snapshots.create({ entities: 'kept' });
    await store.trainingRuns.register(gone.id, runOf('pooled', '0.9.0', 1), 'consumer');
    const early = await store.snapshots.create({
      entities: 'replaced',
      institutions: ['institution'],
    });
    await store.contributions.withdraw(own.withdrawn.id);
    const snapshots = {
      gone,
      replaced: await store.snapshots.create({ entities: 'replaced' }),
      kept: await store.snapshots.create({ entities: 'kept' }),
    };
    await store.trainingRuns.register(early.id, runOf('pooled', '1.0.0', 2), 'consumer');
    await store.trainingRuns.register(
      snapshots.replaced.id,
      runOf('pooled', '1.1.0', 3),
      'consumer',
    );
    const { publicKey } = generateKeyPairSync('ed25519');
    const waiting = await store.identities.request('east-clinic', rawPublicKey(publicKey));
    const spare = await store.tokens.create({ role: 'institution', name: 'east-clinic' });
    const ended = await store.tokens.create({ role: 'consumer', name: 'left-the-network' });
    await store.tokens.revoke(ended.id);
    const expired = await store.tokens.create({ role: 'auditor', name: 'visitor' });
    await changeRows(
      store.catalog,
      sql`UPDATE tokens SET expires = '2026-01-01T00:00:00Z' WHERE id = ${expired.id}`,
    );
    return {
      ...{ world, foreign, snapshots },
      own: { ...own, withdrawn: await store.contributions.get(own.withdrawn.id) },
      waitingKey: waiting.keyId,
      spareToken: spare.id,
    };
  } finally {
    await store.close();
  }
}

async function publishModel(store: Store): Promise<void> {
  const types = ['NAME', 'LOCATION'];
  await store.models.publish({
    digest: shape.modelDigest,
    name: 'certified',
    version: '1.0.0',
    publisher: 'provider',
    files: {},
    manifest: {
      name: 'certified',
      version: '1.0.0',
      labelScheme: { name: 'small', version: '1', types, digest: shape.labelSchemeDigest },
    },
  });
}

function runOf(name: string, version: string, number: number) {
  return { name, version, run: `${number}`.repeat(64) };
}
