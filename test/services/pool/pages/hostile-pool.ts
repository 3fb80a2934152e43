import { generateKeyPairSync } from 'node:crypto';
import type { Store } from '../../../../pool-store/store.js';
import { sha256Hex } from '../../../../proto/digest.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import { openStore } from '../../../pool-store/opened-store.js';
import { INJECTIONS } from '../../http/pages/injections.js';
import { createWorld, type World } from '../../made-world.js';
import { give } from './store-giver.js';

/** Whatever others write, each with an injection that stands nowhere else. */
const FIELDS = [
  ...['institution', 'terms', 'model', 'publisher', 'reason', 'run', 'version', 'trainer'],
  ...['identity', 'token'],
] as const;
type Field = (typeof FIELDS)[number];

/** What one hostile participant wrote, and where it is shown. */
export interface Hostile {
  readonly written: Readonly<Record<Field, string>>;
  readonly contribution: string;
  readonly snapshot: string;
  readonly keyId: string;
  readonly tokenId: string;
  readonly token: string;
}

/** A store in which nothing is what it should be, as if no schema had looked at what came. */
export async function hostilePool(): Promise<{ world: World; hostile: readonly Hostile[] }> {
  const world = await createWorld();
  const store = await openStore(world.data);
  const hostile: Hostile[] = [];
  for (const [number, injection] of INJECTIONS.entries())
    hostile.push(await hostileOf(store, world, number, injection));
  await store.close();
  return { world, hostile };
}

async function hostileOf(
  store: Store,
  world: World,
  number: number,
  injection: string,
): Promise<Hostile> {
  const written = Object.fromEntries(
    FIELDS.map((field) => [field, `${injection} ${field}${number}.`]),
  ) as Record<Field, string>;
  const model = sha256Hex(`model ${number}`);
  const { institution, terms, publisher, reason, run, version, trainer } = written;
  await store.models.publish({
    digest: model,
    name: written.model,
    version: '1.0.0',
    publisher,
    files: {},
    manifest: {},
  });
  await store.models.setStatus(written.model, '1.0.0', 'deprecated', reason);
  const { id: contribution } = await give(store, 'institution', world.keys.institution, {
    seed: 1000 + number,
    model,
    terms,
    keptName: institution,
  });
  const { id: snapshot } = await store.snapshots.create({ model });
  await store.trainingRuns.register(snapshot, { run: sha256Hex(run), name: run, version }, trainer);
  const { publicKey } = generateKeyPairSync('ed25519');
  const { keyId } = await store.identities.request(written.identity, rawPublicKey(publicKey));
  const { id: tokenId, token } = await store.tokens.create({
    role: 'institution',
    name: written.token,
  });
  return { written, contribution, snapshot, keyId, tokenId, token };
}
