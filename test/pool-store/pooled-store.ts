import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileContent } from '../../pool-store/blobs/file-content.js';
import type { Contribution } from '../../pool-store/contributions/contribution-records.js';
import type { Store } from '../../pool-store/store.js';
import { acceptUpload } from '../../pool-store/uploads/accept-upload.js';
import { type ContributionManifest, openContribution } from '../../proto/contribution.js';
import type { Envelope } from '../../proto/dsse.js';
import { rawPublicKey } from '../../proto/ed25519-key.js';
import { contributionOf, segmentOf, sha256 } from '../services/world.js';

interface Signed {
  readonly envelope: Envelope;
  readonly manifest: ContributionManifest;
}

/** Gives a store contributions without a server. */
export class Giver {
  readonly #keys = generateKeyPairSync('ed25519');

  private constructor(
    readonly store: Store,
    readonly name: string,
  ) {}

  /** One whose key is approved. */
  static async of(store: Store, name = 'north'): Promise<Giver> {
    const giver = new Giver(store, name);
    const { keyId } = await store.identities.request(name, rawPublicKey(giver.#keys.publicKey));
    await store.identities.approve(keyId);
    return giver;
  }

  async upload(segment: Uint8Array): Promise<string> {
    const path = join(this.store.uploads, randomUUID());
    writeFileSync(path, segment);
    const digest = sha256(segment);
    await acceptUpload(this.store, fileContent(path, segment.length), {
      digest,
      kind: 'segment',
      holder: this.name,
    });
    return digest;
  }

  /** A contribution of one segment whose sentences follow from `seed`. */
  async give(seed: number, model?: string): Promise<Contribution & { segment: string }> {
    const changes = model === undefined ? {} : { modelDigest: model };
    const bytes = segmentOf(10, seed, changes);
    const segment = await this.upload(bytes);
    return { ...(await this.accept(this.contributionOf(bytes, model))), segment };
  }

  /** A signed contribution of one segment. */
  contributionOf(bytes: Uint8Array, model?: string): Signed {
    const envelope = contributionOf([bytes], this.#keys.privateKey, {
      institution: this.name,
      ...(model === undefined ? {} : { model }),
    });
    return { envelope, manifest: openContribution(envelope, [this.#keys.publicKey]) };
  }

  accept({ envelope, manifest }: Signed): Promise<Contribution> {
    return this.store.contributions.accept(envelope, manifest);
  }
}
