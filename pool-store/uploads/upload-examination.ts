import { createHash, type Hash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import type { Blobs } from '../blobs/blobs.js';
import type { BlobKind } from '../segments/blob-record.js';
import { SegmentExamination, type SegmentFacts } from '../segments/segment-facts.js';

/** Examines an upload while its bytes pass, from the first to the last, for the place where they go. */
export class UploadExamination {
  readonly #hash = createHash('sha256');
  readonly #md5: Hash | undefined;
  readonly #segment: SegmentExamination | undefined;
  #bytes = 0;

  constructor(kind: BlobKind, { comparesMd5 = false }: Pick<Blobs, 'comparesMd5'>) {
    this.#md5 = comparesMd5 ? createHash('md5') : undefined;
    this.#segment = kind === 'segment' ? new SegmentExamination() : undefined;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The chunk may be used for other bytes afterwards. */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    this.#md5?.update(chunk);
    this.#segment?.push(chunk);
  }

  /**
   * The MD5 of the bytes, where their place compares it, and what they show, where they are a segment. Throws
   * `digest-mismatch` before `segment-invalid`: a damaged segment is no malformed one.
   */
  end(digest: string): { md5: Buffer | undefined; facts: SegmentFacts | undefined } {
    const found = this.#hash.digest('hex');
    if (found !== digest) {
      throw new TacetError('digest-mismatch', `the upload has SHA-256 ${found}, not ${digest}`);
    }
    return { md5: this.#md5?.digest(), facts: this.#segment?.end() };
  }
}
