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

/** The bytes of a blob to be: they can be read again, for a put whose connection broke begins anew. */
export interface BlobContent {
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
  /** A file of these bytes alone, which whoever can use it as it is may move away. */
  readonly file?: string;
  /** Of bytes that were verified when they were summed. */
  readonly md5?: Buffer | undefined;
}

/**
 * Where the bytes of a store are kept: immutable, each named by its SHA-256. A place that cannot be
 * reached throws `store-unavailable` everywhere.
 */
export interface Blobs {
  /** Where parts of unfinished uploads are kept for all who share these blobs; undefined where one process alone has them. */
  readonly parts?: UploadParts | undefined;
  /** How many reads at a time pay: one on a disk, more where each waits for a network. */
  readonly parallelReads: number;
  /** Whether a put takes the `md5` of a content as the sum to compare, and then does not read and verify it first. */
  readonly comparesMd5?: boolean | undefined;
  /** Asks the place itself, no blob of it. Throws where a store could not be kept there now. */
  reach(): Promise<void>;
  /**
   * Keeps the blob `digest`; when it returns, the blob survives a power cut, and before that nobody
   * sees a part of it. Bytes that are copied are verified: throws `digest-mismatch` and keeps nothing
   * where they are others. A file that is moved, or a content whose MD5 is compared, is the caller's to have verified. A
   * blob that is there already may stay. Returns whether it is this one that is there now.
   */
  put(content: BlobContent, digest: string): Promise<boolean>;
  /** Bytes of the blob, or undefined where there is none. */
  size(digest: string): Promise<number | undefined>;
  /** When the blob came where it is, by the clock there; undefined where there is none. */
  stored(digest: string): Promise<Date | undefined>;
  /**
   * Throws `not-found`. The caller closes it. `amongBytes` says how much will be read of this blob and
   * of others along with it: where all that has room in a cache, it is kept there. Whoever knows how many bytes the blob has
   * spares a place that is far away the question, and may then be told only by the first read that there is none.
   */
  open(digest: string, amongBytes?: number, bytes?: number): Promise<OpenBlob>;
  /** Throws `not-found` at the first byte. */
  read(digest: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes the bytes for good, also where they were put aside; there may be none. */
  erase(digest: string): Promise<void>;
  /** Takes a damaged blob out of use and keeps its bytes where an operator can look at them. Throws `not-found`. */
  isolate(digest: string): Promise<void>;
  /** Takes a blob that nothing names out of use; its bytes are kept. Throws `not-found`. */
  putAside(digest: string): Promise<void>;
  /** Takes a blob that was put aside back into use. Throws `not-found`, and may throw `digest-mismatch` where it is damaged. */
  takeBack(digest: string): Promise<void>;
  /** Removes for good the bytes that were put aside alone. */
  discardOrphan(digest: string): Promise<void>;
  /** Every blob that is in use. */
  digests(): AsyncIterable<string>;
  /** Every blob that was isolated or put aside. */
  aside(): AsyncIterable<BlobAside>;
}

/** Where the parts of unfinished uploads are kept so that every process can read them. */
export interface UploadParts {
  /** Keeps a part whole or not at all; the key was never used before. */
  put(key: string, content: BlobContent): Promise<void>;
  /** Throws `not-found` at the first byte. */
  read(key: string): AsyncIterable<Uint8Array>;
  /** Removes what is there; nothing may be. */
  delete(key: string): Promise<void>;
  list(): AsyncIterable<{ readonly key: string; readonly modified: Date }>;
}

/** A blob out of use. */
export interface BlobAside {
  readonly digest: string;
  readonly bytes: number;
  /** Damaged, or named by nothing. */
  readonly reason: 'damaged' | 'orphan';
}
