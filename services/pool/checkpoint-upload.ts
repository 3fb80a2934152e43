import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request } from 'express';
import { isDigest } from '../../pool-store/blobs/blob-digest.js';
import { fileContent } from '../../pool-store/blobs/file-content.js';
import type { Token } from '../../pool-store/members/tokens.js';
import type { Store } from '../../pool-store/store.js';
import { MAX_CHECKPOINT_BYTES } from '../../pool-store/training/training-job.js';
import { acceptUpload } from '../../pool-store/uploads/accept-upload.js';
import { UploadExamination } from '../../pool-store/uploads/upload-examination.js';
import { TacetError } from '../../proto/errors.js';
import { receiveBody } from '../http/receive-body.js';
import { StagedFile } from '../http/staged-file.js';
import type { ComingCheckpoints } from './coming-checkpoints.js';

export interface CheckpointUpload {
  /** SHA-256 of the bytes, in hex. */
  readonly digest: string;
  /** How many are to come. */
  readonly bytes: number;
  readonly token: Token;
}

/**
 * Makes a blob of the body of a request, which goes to a file as it comes. Throws `request-invalid`, `body-too-large`, `conflict`,
 * `quota-exceeded`, `store-full` or `digest-mismatch`, and nothing is kept.
 */
export async function receiveCheckpoint(
  store: Store,
  request: Request,
  { digest, bytes, token }: CheckpointUpload,
  coming: ComingCheckpoints,
): Promise<void> {
  if (!isDigest(digest))
    throw new TacetError('request-invalid', 'the path: expected a SHA-256 in hex');
  if (bytes > MAX_CHECKPOINT_BYTES)
    throw new TacetError(
      'body-too-large',
      `a checkpoint has ${MAX_CHECKPOINT_BYTES} bytes at most`,
    );
  const known = await store.blobRecords.find(digest);
  if (known && known.kind !== 'checkpoint')
    throw new TacetError('conflict', `blob ${digest} is no checkpoint`);
  await coming.admit({ size: bytes, owner: token.id, holder: token.name }, async () => {
    // A start removes what a crash left there.
    const path = join(store.uploads, randomUUID());
    const examination = new UploadExamination('checkpoint', store.blobs);
    try {
      await receive(request, path, bytes, examination);
      const announced = { digest, kind: 'checkpoint', holder: token.name } as const;
      await acceptUpload(store, fileContent(path, bytes), announced, examination);
    } finally {
      await rm(path, { force: true });
    }
  });
}

async function receive(
  request: Request,
  path: string,
  bytes: number,
  examination: UploadExamination,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const staged = new StagedFile(file, 0, bytes, (piece) => examination.push(piece));
    const fault = await receiveBody(request, staged, bytes);
    const received = await staged.end();
    if (fault?.code === 'request-invalid') throw fault;
    if (fault || received !== bytes)
      throw new TacetError(
        'request-invalid',
        `the body does not have the ${bytes} bytes of the query`,
      );
  } finally {
    await file.close();
  }
}
