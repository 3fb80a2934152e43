/** Inclusive, as in HTTP ranges. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A blob that is being read at several places. */
export interface OpenBlob {
  readonly bytes: number;
  /** Fills `target` from a place on. Throws `segment-invalid` where the blob ends before. */
  readInto(offset: number, target: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** Where the bytes of a store are kept: immutable, each named by its SHA-256. */
export interface Blobs {
  /**
   * Takes over the file at `path` as the blob `digest`, which the caller has verified; when it
   * returns, the blob survives a power cut.
   */
  adopt(path: string, digest: string): Promise<void>;
  /** Bytes of the blob, or undefined where there is none. */
  size(digest: string): Promise<number | undefined>;
  /** Throws `not-found`. The caller closes it. */
  open(digest: string): Promise<OpenBlob>;
  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes the bytes for good, also where they were put aside; there may be none. */
  erase(digest: string): Promise<void>;
  /** Takes a damaged blob out of use and keeps its bytes where an operator can look at them. */
  isolate(digest: string): Promise<void>;
  /** Takes a blob that nothing names out of use; its bytes are kept. */
  putAside(digest: string): Promise<void>;
  /** Takes a blob that was put aside back into use. */
  takeBack(digest: string): Promise<void>;
  /** Removes for good the bytes that were put aside alone. */
  discardOrphan(digest: string): Promise<void>;
  /** Every blob that is in use. */
  digests(): AsyncIterable<string>;
  /** Every blob that was isolated or put aside. */
  aside(): AsyncIterable<BlobAside>;
}

/** A blob out of use. */
export interface BlobAside {
  readonly digest: string;
  readonly bytes: number;
  /** Damaged, or named by nothing. */
  readonly reason: 'damaged' | 'orphan';
}
