import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import type { BlobKind } from '../blob-records.js';
import { SegmentExamination, type SegmentFacts } from '../segment-facts.js';

/** Examines an upload while its bytes pass, from the first to the last. */
export class UploadExamination {
  readonly #hash = createHash('sha256');
  readonly #segment: SegmentExamination | undefined;
  #bytes = 0;

  constructor(kind: BlobKind) {
    this.#segment = kind === 'segment' ? new SegmentExamination() : undefined;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The chunk may be used for other bytes afterwards. */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    this.#segment?.push(chunk);
  }

  /**
   * What the bytes show, where they are a segment. Throws `digest-mismatch` before `segment-invalid`:
   * a damaged segment is no malformed one.
   */
  end(digest: string): SegmentFacts | undefined {
    const found = this.#hash.digest('hex');
    if (found !== digest) {
      throw new TacetError('digest-mismatch', `the upload has SHA-256 ${found}, not ${digest}`);
    }
    return this.#segment?.end();
  }
}
