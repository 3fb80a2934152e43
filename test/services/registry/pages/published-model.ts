import type { KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CURVE_FILE,
  MANIFEST_FILE,
  MODEL_CARD_FILE,
  SIGNATURE_FILE,
  WEIGHTS_FILE,
} from '../../../../models/bundle/bundle-files.js';
import {
  type Manifest,
  type ManifestFields,
  writeManifest,
} from '../../../../models/bundle/manifest.js';
import { writeSignature } from '../../../../models/bundle/signature-file.js';
import { STATEMENT_PAYLOAD_TYPE, writeStatement } from '../../../../models/bundle/statement.js';
import {
  type TrainingCurve,
  writeTrainingCurve,
} from '../../../../models/bundle/training-curve.js';
import { fileContent } from '../../../../pool-store/blobs/file-content.js';
import { sql } from '../../../../pool-store/catalog/kysely.js';
import type { Model } from '../../../../pool-store/models/models.js';
import type { Store } from '../../../../pool-store/store.js';
import { acceptUpload } from '../../../../pool-store/uploads/accept-upload.js';
import { sign } from '../../../../proto/dsse.js';
import { changeRows } from '../../../pool-store/changed-rows.js';
import { sha256 } from '../../world.js';

export interface PublishedFields {
  readonly fields: ManifestFields;
  readonly publisher: string;
  readonly keys: readonly KeyObject[];
  /** How its training went, where the bundle says so. */
  readonly curve?: TrainingCurve | undefined;
  /** ISO 8601, UTC. */
  readonly published: string;
}

/** A published bundle as a registry holds it, whose weights and card are a few bytes. */
export async function publishModel(
  store: Store,
  { fields, publisher, keys, published, curve }: PublishedFields,
): Promise<Model> {
  const files = new Map<string, Uint8Array>([
    [WEIGHTS_FILE, Buffer.from(`weights of ${fields.name} ${fields.version}`)],
    [MODEL_CARD_FILE, Buffer.from(CARD)],
    ...(curve ? [[CURVE_FILE, writeTrainingCurve(curve)] as const] : []),
  ]);
  const digests = new Map([...files].map(([name, bytes]) => [name, sha256(bytes)]));
  const manifest: Manifest = { ...fields, created: published, files: Object.fromEntries(digests) };
  files.set(MANIFEST_FILE, writeManifest(manifest));
  digests.set(MANIFEST_FILE, sha256(files.get(MANIFEST_FILE) as Uint8Array));
  const envelope = sign(STATEMENT_PAYLOAD_TYPE, writeStatement(fields, digests), ...keys);
  files.set(SIGNATURE_FILE, writeSignature(envelope));
  const blobs: Record<string, string> = {};
  for (const [name, bytes] of files) blobs[name] = await upload(store, bytes);
  const { name, version } = fields;
  const digest = blobs[MANIFEST_FILE] as string;
  await store.models.publish({ digest, name, version, manifest, publisher, files: blobs });
  await changeRows(
    store.catalog,
    sql`UPDATE models SET published = ${published} WHERE digest = ${digest}`,
  );
  return store.models.get(name, version);
}

/** A provider's own words, which no page shows. */
const CARD = '<script>alert("card")</script> ![card](https://elsewhere.example/card.png)';

async function upload(store: Store, bytes: Uint8Array): Promise<string> {
  const digest = sha256(bytes);
  const path = join(store.uploads, 'furnished');
  writeFileSync(path, bytes);
  await acceptUpload(store, fileContent(path, bytes.length), { digest, kind: 'bundle-file' });
  return digest;
}
