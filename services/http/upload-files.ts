import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, Upload } from '@tus/server';
import type { BlobKind } from '../../pool-store/blob-records.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import type { Limits } from './limits.js';
import { createUpload, findUpload, type OpenUpload, removeUpload } from './open-uploads.js';
import { requireRoom } from './upload-admission.js';

/** Whoever makes an upload of a store takes this turn, so that each is checked with all before it. */
const CREATION = 'the creation of an upload';
const ID = /^[0-9a-z-]{1,64}$/i;

/** The unfinished uploads of a store as @tus/server asks for them: of one kind, within limits. */
export class UploadFiles extends DataStore {
  override readonly extensions = [
    'creation',
    'creation-with-upload',
    // Asked for, it is refused in our words.
    'creation-defer-length',
    'termination',
  ];

  constructor(
    readonly store: Store,
    readonly kind: BlobKind,
    readonly limits: Limits,
  ) {
    super();
  }

  /** An upload is for the token that began it alone. Throws `not-found`. */
  async own(id: string, token: { readonly id: string }): Promise<OpenUpload> {
    const upload = await this.#find(id);
    if (upload.owner === token.id && upload.kind === this.kind) return upload;
    throw noSuchUpload();
  }

  /** Throws `quota-exceeded` or `store-full`. */
  override create(upload: Upload): Promise<Upload> {
    return this.store.turns.take(CREATION, async () => {
      await requireRoom(this.store, upload, this.limits);
      await createUpload(this.store.uploads, upload);
      return upload;
    });
  }

  /**
   * Returns the offset after what was written. Where bytes cannot be written the reason is kept: a full disk is for
   * the operator to mend, and the client's upload goes on afterwards.
   */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.store.uploads, id), { flags: 'r+', start: offset });
    await pipeline(readable, file);
    return offset + file.bytesWritten;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, offset, digest, kind } = await this.#find(id);
    return new Upload({ id, size, offset, metadata: { digest, kind } });
  }

  override async remove(id: string): Promise<void> {
    await this.#find(id);
    await removeUpload(this.store.uploads, id);
  }

  async #find(id: string): Promise<OpenUpload> {
    // The library takes an id from the end of a URL, whatever stands there.
    const upload = ID.test(id) ? await findUpload(this.store.uploads, id) : undefined;
    if (!upload) throw noSuchUpload();
    return upload;
  }
}

function noSuchUpload(): TacetError {
  return new TacetError('not-found', 'there is no such upload');
}
