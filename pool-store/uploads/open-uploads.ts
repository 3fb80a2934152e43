import type { BlobKind } from '../segments/blob-record.js';
import type { UploadExamination } from './upload-examination.js';

/** What is known of an upload before one byte of it is sent. */
export interface NewUpload {
  readonly id: string;
  readonly size: number;
  readonly digest: string;
  readonly kind: BlobKind;
  /** The token that begins it, and its name. */
  readonly owner: string;
  readonly holder: string;
}

/** An upload that was begun. */
export interface OpenUpload extends NewUpload {
  /** Bytes that are kept. */
  readonly offset: number;
  /** When the last byte of it was kept. */
  readonly touched: Date;
}

/** What counts against limits while an upload is admitted. */
export interface Holdings {
  readonly open: readonly OpenUpload[];
  /** Of blobs that were uploaded under the name of the new upload's token. */
  readonly storedBytes: number;
  /** As `OpenUploads.comingBytes`. */
  readonly comingBytes: number;
}

/** What a start found among the uploads. */
export interface UploadRecovery {
  /** Waiting for their clients to go on. */
  readonly unfinished: number;
  /** Had arrived whole, and are blobs now. */
  readonly finished: number;
  /** Without a readable record of what they are, refused, or pieces of requests that a crash cut off: removed. */
  readonly removed: number;
}

/**
 * The unfinished uploads of a store. What was answered for survives a crash of the process: an upload goes on at the
 * last byte that is kept, and becomes a blob with its last. Throws `store-unavailable` where blobs are away.
 */
export interface OpenUploads {
  /**
   * Begins an upload, once `admit`, which throws where there is no room, has seen what there is; nobody else begins
   * one meanwhile.
   */
  create(upload: NewUpload, admit: (holdings: Holdings) => void): Promise<void>;
  find(id: string): Promise<OpenUpload | undefined>;
  all(): Promise<OpenUpload[]>;
  /**
   * Bytes that the disk of this process is still to take: of every open upload where its bytes stay here, otherwise of
   * the requests that are under way here.
   */
  comingBytes(): Promise<number>;
  /** Where the bytes of one request go, of which there are so many at most. */
  receive(upload: OpenUpload, bytes: number): Promise<IncomingBytes>;
  /** An upload without bytes, or whose bytes have all arrived, becomes a blob. Throws as `acceptUpload`. */
  finish(upload: OpenUpload): Promise<void>;
  remove(id: string): Promise<void>;
  /** Done at each start, before `recover`, to which blobs whose record a crash prevented would be orphans. */
  recover(): Promise<UploadRecovery>;
  /** Removes what belongs to no upload and is older than that, found so by a sweep before, too. Throws the reason of `signal` once that is aborted. */
  sweep(before: Date, signal?: AbortSignal): Promise<void>;
}

/** The bytes of one request, in a file while they come. */
export interface IncomingBytes {
  readonly path: string;
  /** Where in the file the first of them goes. */
  readonly position: number;
  /** Whether the file is there for the request alone, so that its bytes did not count when the upload began. */
  readonly isStaged: boolean;
  /**
   * Keeps the first so many bytes; with the last byte of the upload makes a blob of it, by what `examination` found
   * where that saw all of it. Throws `conflict` where another request was before it, and as `acceptUpload`: where the bytes
   * were refused the upload is gone, and for any other reason it lacks its last byte, or those of the request.
   */
  keep(bytes: number, examination?: UploadExamination): Promise<void>;
  /** Whatever was kept. */
  discard(): Promise<void>;
}
