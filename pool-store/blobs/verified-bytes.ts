import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import type { BlobContent } from './blobs.js';

/**
 * The bytes of a content as they are read, up to the last that is right: throws `digest-mismatch` at the
 * end where they are not those of the digest, and in the midst where they are too many.
 */
export class VerifiedBytes implements AsyncIterable<Uint8Array> {
  constructor(
    readonly content: BlobContent,
    readonly digest: string,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { bytes } = this.content;
    const hash = createHash('sha256');
    let seen = 0;
    for await (const chunk of this.content.read()) {
      seen += chunk.length;
      if (seen > bytes) throw mismatch(`more than ${bytes} bytes`, this.digest);
      hash.update(chunk);
      yield chunk;
    }
    const found = hash.digest('hex');
    if (found !== this.digest) throw mismatch(`SHA-256 ${found}`, this.digest);
  }
}

function mismatch(found: string, digest: string): TacetError {
  return new TacetError('digest-mismatch', `what was to be blob ${digest} has ${found}`);
}
