import { createHash } from 'node:crypto';
import { TacetError } from '../../../proto/errors.js';
import type { BlobContent, UploadParts } from '../blobs.js';
import type { BodySums, S3Bucket } from './bucket.js';
import { readObject } from './object-reading.js';

const FOLDER = 'incoming/';

/** Parts of uploads as objects `incoming/<key>` of the bucket of the blobs. */
export class ObjectParts implements UploadParts {
  constructor(private readonly bucket: S3Bucket) {}

  async put(key: string, content: BlobContent): Promise<void> {
    // Refused, it is there already: an earlier attempt of this call, whose answer was lost.
    await this.bucket.put(`${FOLDER}${key}`, content, await sumsOf(content));
  }

  async *read(key: string): AsyncGenerator<Uint8Array> {
    const name = `${FOLDER}${key}`;
    const state = await this.bucket.head(name);
    if (!state) throw new TacetError('not-found', 'there is no such part of an upload');
    yield* readObject(this.bucket, name, state);
  }

  delete(key: string): Promise<void> {
    return this.bucket.delete(`${FOLDER}${key}`);
  }

  async *list(): AsyncGenerator<{ key: string; modified: Date }> {
    for await (const { key, modified } of this.bucket.list(FOLDER))
      yield { key: key.slice(FOLDER.length), modified };
  }
}

async function sumsOf(content: BlobContent): Promise<BodySums> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  for await (const chunk of content.read()) {
    md5.update(chunk);
    sha256.update(chunk);
  }
  return { md5: md5.digest(), sha256: sha256.digest() };
}
