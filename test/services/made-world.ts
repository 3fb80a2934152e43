import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLES, type Role } from '../../pool-store/members/tokens.js';
import { signContribution } from '../../proto/contribution.js';
import type { Envelope } from '../../proto/dsse.js';
import { rawPublicKey } from '../../proto/ed25519-key.js';
import { readSegment, writeSegment } from '../../proto/segment.js';
import type { SegmentShape } from '../../proto/segment-header.js';
import { openStore } from '../pool-store/opened-store.js';
import { placeBlobs } from '../pool-store/test-place.js';
import { sentenceOf, shape } from '../proto/encoded-sentences.js';

/** A store with a token of every role and approved keys for those that sign. */
export interface World {
  readonly data: string;
  readonly tokens: Readonly<Record<Role, string>>;
  /** Key of the holder named like the role, e.g. of the institution `institution`. */
  readonly keys: Readonly<Record<'institution' | 'provider' | 'auditor', KeyObject>>;
  remove(): void;
}

export async function createWorld(
  data = mkdtempSync(join(tmpdir(), 'tacet-store-')),
): Promise<World> {
  const store = await openStore(placeBlobs(data));
  const tokens = {} as Record<Role, string>;
  for (const role of ROLES) tokens[role] = (await store.tokens.create({ role, name: role })).token;
  const enrol = async (name: string) => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { keyId } = await store.identities.request(name, rawPublicKey(publicKey));
    await store.identities.approve(keyId);
    return privateKey;
  };
  const keys = {
    institution: await enrol('institution'),
    provider: await enrol('provider'),
    auditor: await enrol('auditor'),
  };
  await store.close();
  return { data, tokens, keys, remove: () => rmSync(data, { recursive: true, force: true }) };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A segment of sentences of six tokens whose values follow from `seed`. */
export function segmentOf(
  sentences: number,
  seed: number,
  changes: Partial<SegmentShape> = {},
): Uint8Array {
  const of = { ...shape, ...changes };
  const all = Array.from({ length: sentences }, (_, i) => sentenceOf(6, seed * 10_000 + i, of));
  return writeSegment(of, all);
}

export interface ManifestChanges {
  readonly institution?: string;
  readonly model?: string;
  readonly labelScheme?: string;
  readonly sentences?: number;
  readonly inventory?: string | undefined;
  readonly copies?: number | undefined;
  readonly keptTypes?: readonly string[] | undefined;
  readonly limit?: number | null;
  readonly terms?: string;
}

/** A contribution of these segments, true unless changed. */
export function contributionOf(
  segments: readonly Uint8Array[],
  key: KeyObject,
  changes: ManifestChanges = {},
): Envelope {
  const sentences = segments.flatMap((bytes) => [...readSegment(bytes).sentences()]);
  return signContribution(
    {
      model: changes.model ?? shape.modelDigest,
      segments: segments.map(sha256),
      counts: {
        sentences: changes.sentences ?? sentences.length,
        tokens: sentences.reduce((sum, { labels }) => sum + labels.length, 0),
      },
      labelScheme: changes.labelScheme ?? shape.labelSchemeDigest,
      limit: changes.limit ?? null,
      ...(changes.inventory !== undefined && {
        entities: 'replaced',
        inventory: changes.inventory,
      }),
      ...(changes.copies !== undefined && { copies: changes.copies }),
      ...(changes.keptTypes !== undefined && { keptTypes: [...changes.keptTypes] }),
      terms: changes.terms ?? 'tests',
      institution: changes.institution ?? 'institution',
      time: '2030-01-01T00:00:00Z',
    },
    key,
  );
}
