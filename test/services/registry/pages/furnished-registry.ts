import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { AuditReport } from '../../../../models/attacks/report/audit-report.js';
import type { Model } from '../../../../pool-store/models/models.js';
import type { Store } from '../../../../pool-store/store.js';
import { keyIdOf, sign } from '../../../../proto/dsse.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import { AUDIT_TYPE } from '../../../../proto/publication.js';
import { createWorld, serve, type World } from '../../world.js';
import { publishModel } from './published-model.js';
import {
  realisticAudit,
  realisticCurve,
  statedPipeline,
  statedRepresentation,
} from './realistic.js';

/** A served registry with models of two providers and audits of two auditors. */
export interface FurnishedRegistry {
  readonly url: string;
  readonly store: Store;
  readonly world: World;
  /** Of another provider than the world's, whose name is `harbour-lab`. */
  readonly rivalToken: string;
  /** Ids of the audits of `letters 2.0.0`, the oldest first. */
  readonly audits: readonly string[];
  close(): Promise<void>;
}

export async function furnishRegistry(): Promise<FurnishedRegistry> {
  const world = await createWorld();
  const servers = await serve(world);
  const { store } = servers;
  const rivalKey = await enrol(store, 'harbour-lab');
  const secondKey = await enrol(store, 'second-auditor');
  const officer = generateKeyPairSync('ed25519').privateKey;
  const mine = { publisher: 'provider', keys: [world.keys.provider] };
  const rival = { publisher: 'harbour-lab', keys: [rivalKey] };
  const letters = (version: string, published: string, more = {}) =>
    publishModel(store, {
      ...mine,
      ...{ published, ...more },
      fields: statedRepresentation('letters', version, {
        f1: 0.9 + Number(version[0]) / 50,
        limit: 0.58 - Number(version[0]) / 50,
      }),
    });
  await letters('1.0.0', '2026-01-05T09:00:00.000Z');
  const middle = await letters('1.1.0', '2026-02-05T09:00:00.000Z');
  const newest = await letters('2.0.0', '2026-03-05T09:00:00.000Z', {
    keys: [world.keys.provider, officer],
    curve: realisticCurve(),
  });
  await store.models.setStatus('letters', '1.0.0', 'revoked', 'an audit read names out of it');
  await store.models.setStatus('letters', '1.1.0', 'deprecated', 'superseded by 2.0.0');
  await store.models.setAlias('letters', 'stable', '2.0.0');
  await store.models.setAlias('letters', 'previous', '1.1.0');
  await publishModel(store, {
    ...{ ...rival, published: '2026-03-07T10:30:00.000Z' },
    fields: statedRepresentation('notas', '1.0.0', { language: 'es', f1: 0.96, limit: 0.52 }),
  });
  await publishModel(store, {
    ...{ ...rival, published: '2026-03-08T10:30:00.000Z' },
    fields: statedPipeline('lector', '1.0.0'),
  });
  const bare = statedRepresentation('bare', '0.1.0');
  await publishModel(store, {
    ...{ ...mine, published: '2026-03-09T10:30:00.000Z' },
    fields: { ...bare, training: {}, scores: { loss: 12.5 } },
  });
  await attachAudit(store, middle, realisticAudit(middle.digest), world.keys.auditor);
  const first = await attachAudit(store, newest, realisticAudit(newest.digest), world.keys.auditor);
  const second = await attachAudit(
    store,
    newest,
    realisticAudit(newest.digest, { candidates: 100, seed: 2 }),
    secondKey,
  );
  return {
    ...{ url: servers.addresses.registry ?? '', store, world, audits: [first, second] },
    rivalToken: (await store.tokens.create({ role: 'provider', name: 'harbour-lab' })).token,
    async close() {
      await servers.close();
      world.remove();
    },
  };
}

/** Returns the audit's id. */
export async function attachAudit(
  store: Store,
  model: Model,
  report: AuditReport,
  key: KeyObject,
): Promise<string> {
  const payload = Buffer.from(JSON.stringify(report));
  const [audit] = await store.audits.attach(
    model.digest,
    [keyIdOf(key)],
    sign(AUDIT_TYPE, payload, key),
  );
  return audit.id;
}

async function enrol(store: Store, holder: string): Promise<KeyObject> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await store.identities.approve(
    (await store.identities.request(holder, rawPublicKey(publicKey))).keyId,
  );
  return privateKey;
}
