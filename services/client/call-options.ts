import type { Progress } from '../../platform/progress.js';
import type { BlobKind } from '../../pool-store/segments/blob-record.js';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

export interface DownloadOptions extends CallOptions {
  /** Throws `server-failed` where the server sends more. */
  readonly mostBytes?: number | undefined;
}

export interface UploadTarget {
  /** SHA-256 of the bytes, in hex; the server checks it before the blob exists. */
  readonly digest: string;
  readonly kind: BlobKind;
}

export interface UploadOptions extends CallOptions {
  /** Where unfinished uploads are remembered, so that another process can resume them. */
  readonly resumeFile?: string;
}
