import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileContent } from '../../../../pool-store/blobs/file-content.js';
import type { Contribution } from '../../../../pool-store/contributions/contribution-records.js';
import type { Store } from '../../../../pool-store/store.js';
import { acceptUpload } from '../../../../pool-store/uploads/accept-upload.js';
import { parseContribution } from '../../../../proto/contribution.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import type { SegmentShape } from '../../../../proto/segment-header.js';
import { contributionOf, type ManifestChanges, segmentOf, sha256 } from '../../made-world.js';

interface Gift extends Omit<ManifestChanges, 'institution'> {
  /** That the sentences follow from; each at most once. */
  readonly seed: number;
  readonly segments?: number;
  readonly length?: number;
  readonly shape?: Partial<SegmentShape>;
  /** Under which the store keeps it; no schema checks it. */
  readonly keptName?: string;
}

/** Has a key approved for a name, unless one is given that is. */
export async function enrolledKey(store: Store, name: string): Promise<KeyObject> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await store.identities.approve(
    (await store.identities.request(name, rawPublicKey(publicKey))).keyId,
  );
  return privateKey;
}

/** A contribution of an institution, accepted by the store without a server. */
export async function give(
  store: Store,
  institution: string,
  key: KeyObject,
  { seed, segments = 1, length = 10, shape, keptName = institution, ...changes }: Gift,
): Promise<Contribution> {
  const shaped: Partial<SegmentShape> = {
    ...(changes.inventory !== undefined && { entities: 'replaced' }),
    ...(changes.model !== undefined && { modelDigest: changes.model }),
    ...shape,
  };
  const bytes = Array.from({ length: segments }, (_, i) =>
    segmentOf(length, seed * 100 + i, shaped),
  );
  for (const segment of bytes) {
    const path = join(store.uploads, 'upload');
    writeFileSync(path, segment);
    await acceptUpload(store, fileContent(path, segment.length), {
      digest: sha256(segment),
      kind: 'segment',
      holder: keptName,
    });
  }
  const envelope = contributionOf(bytes, key, { institution, ...changes });
  const manifest = parseContribution(
    JSON.parse(Buffer.from(envelope.payload, 'base64').toString()),
  );
  return store.contributions.accept(envelope, { ...manifest, institution: keptName });
}
