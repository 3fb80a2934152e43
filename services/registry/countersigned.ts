import { buffer } from 'node:stream/consumers';
import { SIGNATURE_FILE } from '../../models/bundle/bundle-files.js';
import { readSignature } from '../../models/bundle/signature-file.js';
import type { Model } from '../../pool-store/models/models.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import type { Publication } from '../../proto/publication.js';

/**
 * Gives a published bundle the signatures that it was published with again, once more keys have
 * signed it. Throws `conflict` where one that the registry holds would be lost.
 */
export async function keepSignatures(
  store: Store,
  model: Model,
  { files }: Publication,
): Promise<void> {
  const held = (await store.models.filesOf(model.digest))[SIGNATURE_FILE];
  const given = files[SIGNATURE_FILE];
  if (held === undefined || given === undefined || held === given) return;
  const signatures = await signaturesOf(store, given);
  for (const signature of await signaturesOf(store, held)) {
    if (signatures.has(signature)) continue;
    throw new TacetError(
      'conflict',
      `${model.name} ${model.version} is published with a signature that this bundle lacks; ` +
        'fetch it and sign that',
    );
  }
  await store.models.replaceFile(model.digest, SIGNATURE_FILE, { from: held, to: given });
}

async function signaturesOf(store: Store, blob: string): Promise<Set<string>> {
  const { signatures } = readSignature(await buffer(store.blobs.read(blob)));
  return new Set(signatures.map(({ keyid, sig }) => `${keyid} ${sig}`));
}
