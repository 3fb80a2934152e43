/** What one caller may take of a server. */
export interface Limits {
  /** Bytes that the tokens of one name may have stored, unfinished uploads included. */
  readonly quotaBytes: number;
  /** Uploads that one token may have begun and not finished. */
  readonly openUploads: number;
  readonly requestsPerMinute: number;
  /** A request that takes longer to arrive is cut off; an upload goes on in the next one. */
  readonly requestSeconds: number;
  /** A connection on which nothing moves for this long is closed. */
  readonly idleSeconds: number;
  readonly connections: number;
  /** Snapshots that are read at a time, each in some 20 MB of memory. */
  readonly readings: number;
  /** Uploads leave this much of the disk, so that withdrawals and the catalog have room. */
  readonly reserveBytes: number;
  /** Unfinished uploads are dropped after this long without a byte. */
  readonly uploadHours: number;
  /** Uploaded files that nothing was made of are dropped after this long. */
  readonly blobHours: number;
}

export const DEFAULT_LIMITS: Limits = {
  quotaBytes: 100 * 2 ** 30,
  openUploads: 64,
  requestsPerMinute: 6000,
  requestSeconds: 600,
  idleSeconds: 120,
  connections: 1000,
  readings: 64,
  reserveBytes: 64 * 2 ** 20,
  uploadHours: 48,
  blobHours: 168,
};
