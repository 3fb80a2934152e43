import { open } from 'node:fs/promises';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import type { BlobContent, Blobs } from '../blobs/blobs.js';
import type { BlobKind } from '../segments/blob-record.js';
import { UploadExamination } from './upload-examination.js';
import type { UploadStore } from './upload-store.js';

const CHUNK_BYTES = 1024 * 1024;

/** What is said of the bytes, refused or gone, and not of the store. */
const WORTHLESS: ReadonlySet<ErrorCode> = new Set([
  ...(['digest-mismatch', 'segment-invalid', 'withdrawn', 'not-found'] as const),
]);

type Blobbed = Pick<UploadStore, 'blobs' | 'blobRecords' | 'turns' | 'isShared'>;

/** What was said of an upload at its start. */
export interface Announcement {
  readonly digest: string;
  readonly kind: BlobKind;
  /** The name of the token that uploads. */
  readonly holder?: string;
}

/** Whether no blob comes of an upload that failed so, whose client starts anew; else the same bytes may be one later. */
export function isWorthless(error: unknown): boolean {
  return error instanceof TacetError && WORTHLESS.has(error.code);
}

/**
 * Makes what was uploaded a blob, once its digest is what was announced and, where it is a segment,
 * once every byte of it was found in order. The content is read unless `examination` saw all of its
 * bytes on their way. Its file may have been moved when this returns; it is left where this throws: `digest-mismatch`, `segment-invalid`
 * or `withdrawn`.
 */
export async function acceptUpload(
  store: Blobbed,
  content: BlobContent,
  { digest, kind, holder }: Announcement,
  examination?: UploadExamination,
): Promise<void> {
  await requireNotWithdrawn(store, digest);
  const examined = examination ?? (await examine(content, kind, store.blobs));
  const { md5, facts } = examined.end(digest);
  const { bytes } = examined;
  await store.turns.take(digest, async () => {
    for (let isThere = false; !isThere; ) {
      const isNew = await store.blobs.put({ ...content, bytes, md5 }, digest);
      await store.blobRecords.add({ digest, kind, bytes, owner: holder ?? null, facts });
      // Bytes that were there before the put another process may have collected before they were recorded. Whether those of a
      // segment are there, its contribution asks again.
      const isSure = isNew && kind === 'segment';
      isThere = !store.isShared || isSure || (await store.blobs.size(digest)) !== undefined;
    }
  });
  await eraseWithdrawn(store, digest);
}

/**
 * Records a blob whose bytes are in place and whose record a crash or the catalog prevented, as `acceptUpload` would have.
 * Throws as it does, and `not-found` where the bytes are gone.
 */
export async function acceptMoved(
  store: Blobbed,
  { digest, kind, holder }: Announcement,
): Promise<void> {
  await requireNotWithdrawn(store, digest);
  const examination = new UploadExamination(kind, {});
  for await (const chunk of store.blobs.read(digest)) examination.push(chunk);
  const { facts } = examination.end(digest);
  const { bytes } = examination;
  await store.turns.take(digest, () =>
    store.blobRecords.add({ digest, kind, bytes, owner: holder ?? null, facts }),
  );
  await eraseWithdrawn(store, digest);
}

/** Withdrawn while it was uploaded once more: what came back must go again. */
async function eraseWithdrawn(store: Blobbed, digest: string): Promise<void> {
  try {
    await requireNotWithdrawn(store, digest);
  } catch (error) {
    await store.blobs.erase(digest);
    throw error;
  }
}

async function examine(
  content: BlobContent,
  kind: BlobKind,
  blobs: Blobs,
): Promise<UploadExamination> {
  const examination = new UploadExamination(kind, blobs);
  if (content.file !== undefined) await examineFile(content.file, examination);
  else for await (const chunk of content.read()) examination.push(chunk);
  return examination;
}

/** Reads the file once, each time into the same buffer: garbage would cost more than the reading. */
async function examineFile(path: string, examination: UploadExamination): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      examination.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

async function requireNotWithdrawn({ blobRecords }: Blobbed, digest: string): Promise<void> {
  if ((await blobRecords.find(digest))?.erased) {
    throw new TacetError('withdrawn', `blob ${digest} was withdrawn`);
  }
}
