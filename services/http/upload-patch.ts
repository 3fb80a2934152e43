/**
 * PATCH of tus 1.0 (https://tus.io/protocols/resumable-upload#patch). Chunks go from the socket to the
 * file and through the examination of the upload as they come: the web streams of @tus/server would
 * take more processor time than all the rest.
 */
import { open } from 'node:fs/promises';
import type { Locker } from '@tus/server';
import type { Request, Response } from 'express';
import type { IncomingBytes, OpenUpload } from '../../pool-store/uploads/open-uploads.js';
import { UploadExamination } from '../../pool-store/uploads/upload-examination.js';
import { TacetError } from '../../proto/errors.js';
import { receiveBody } from './receive-body.js';
import { StagedFile } from './staged-file.js';
import { tokenOf } from './token-access.js';
import type { TusUploads } from './tus-uploads.js';

export class UploadPatch {
  constructor(
    readonly uploads: TusUploads,
    readonly locker: Locker,
  ) {}

  /** Throws `not-found`, `conflict`, `body-too-large`, `store-full`, and as `IncomingBytes.keep`. */
  async handle(request: Request, response: Response): Promise<void> {
    const id = String(request.params.id);
    const token = tokenOf(request);
    // A stranger must not even stop it.
    await this.uploads.own(id, token);
    let stop = () => void request.destroy();
    const lock = this.locker.newLock(id);
    await lock.lock(new AbortController().signal, () => stop());
    try {
      const upload = await this.uploads.own(id, token);
      requireFit(request, upload);
      const received = await this.#receive(request, upload, () => {
        stop = () => {};
      });
      // "The Server MUST acknowledge successful PATCH requests with the 204 No Content status. It MUST
      // include the Upload-Offset header containing the new offset."
      response
        .status(204)
        .set({ 'Upload-Offset': String(upload.offset + received), 'Tus-Resumable': '1.0.0' })
        .end();
    } finally {
      await lock.unlock();
    }
  }

  /** Returns how many bytes arrived, which are kept also where the request breaks off. */
  async #receive(request: Request, upload: OpenUpload, onEnd: () => void): Promise<number> {
    const { kind, offset } = upload;
    const { blobs } = this.uploads.store;
    const examination = offset === 0 ? new UploadExamination(kind, blobs) : undefined;
    const incoming = await this.uploads.receive(upload, announcedBytes(request));
    try {
      const { bytes, fault } = await write(request, incoming, upload, examination);
      onEnd();
      await incoming.keep(bytes, examination);
      if (fault) throw fault;
      return bytes;
    } finally {
      await incoming.discard();
    }
  }
}

async function write(
  request: Request,
  { path, position }: IncomingBytes,
  { offset, size }: OpenUpload,
  examination: UploadExamination | undefined,
): Promise<{ bytes: number; fault: TacetError | undefined }> {
  const file = await open(path, 'r+');
  try {
    const staged = new StagedFile(file, position, size - offset, (piece) =>
      examination?.push(piece),
    );
    const fault = await receiveBody(request, staged, size - offset);
    return { bytes: (await staged.end()) - position, fault };
  } finally {
    await file.close();
  }
}

/** Undefined where the body says its length by its end. */
function announcedBytes(request: Request): number | undefined {
  const length = request.get('content-length');
  return length === undefined ? undefined : Number(length);
}

function requireFit(request: Request, { offset, size }: OpenUpload): void {
  // "If the offsets do not match, the Server MUST respond with the 409 Conflict status without
  // modifying the upload resource."
  if (request.get('upload-offset') !== String(offset)) {
    throw new TacetError('conflict', `the upload has ${offset} bytes; go on from there`);
  }
  if ((announcedBytes(request) ?? 0) > size - offset) throw tooLong();
}

function tooLong(): TacetError {
  return new TacetError('body-too-large', 'the upload has more bytes than its Upload-Length');
}
