import { createHash } from 'node:crypto';
import type { BlobContent } from '../blobs.js';
import { VerifiedBytes } from '../verified-bytes.js';
import type { BodySums } from './bucket.js';

/** Reads a content once. Throws `digest-mismatch` where it is not that of its name. */
export async function sumsOf(content: BlobContent, digest: string): Promise<BodySums> {
  const md5 = createHash('md5');
  for await (const chunk of new VerifiedBytes(content, digest)) md5.update(chunk);
  return { md5: md5.digest(), sha256: Buffer.from(digest, 'hex') };
}
