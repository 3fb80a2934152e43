import type { Blobs } from '../blobs/blobs.js';
import type { Catalog } from '../catalog/catalog.js';
import type { Turns } from '../catalog/turns.js';
import type { BlobRecords } from '../segments/blob-records.js';

/** What uploads need of the store that they are for. */
export interface UploadStore {
  readonly catalog: Catalog;
  readonly blobs: Blobs;
  readonly blobRecords: BlobRecords;
  readonly turns: Turns;
  /** Whether other processes may collect blobs. */
  readonly isShared: boolean;
  /** A folder for bytes that come. */
  readonly uploads: string;
}
