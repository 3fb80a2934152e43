import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, Upload } from '@tus/server';
import type { BlobKind } from '../../pool-store/segments/blob-record.js';
import type { Store } from '../../pool-store/store.js';
import type { IncomingBytes, OpenUpload } from '../../pool-store/uploads/open-uploads.js';
import { TacetError } from '../../proto/errors.js';
import type { Limits } from './limits.js';
import { diskOf, freeBytes, requireDisk, requireRoom } from './upload-admission.js';

const ID = /^[0-9a-z-]{1,64}$/i;

/** The unfinished uploads of a store as @tus/server asks for them: of one kind, within limits. */
export class TusUploads extends DataStore {
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
  override async create(upload: Upload): Promise<Upload> {
    const { digest, owner, holder } = upload.metadata ?? {};
    const asked = {
      ...{ id: upload.id, size: upload.size ?? 0, kind: this.kind },
      ...{ digest: digest ?? '', owner: owner ?? '', holder: holder ?? '' },
    };
    await this.store.openUploads.create(asked, (holdings) => {
      // After what is to come was counted: bytes that arrive in between count twice rather than never.
      requireRoom(asked, { ...holdings, freeBytes: freeBytes(this.store) }, this.limits);
    });
    return upload;
  }

  /**
   * Where the bytes of one request go, of which there are so many at most. Throws `store-full` where they need room on
   * this disk that the upload was not admitted for.
   */
  async receive(upload: OpenUpload, bytes = upload.size - upload.offset): Promise<IncomingBytes> {
    const incoming = await this.store.openUploads.receive(upload, bytes);
    if (!incoming.isStaged) return incoming;
    try {
      // These bytes are among those that are to come by now.
      requireDisk(0, await diskOf(this.store), this.limits);
      return incoming;
    } catch (error) {
      await incoming.discard();
      throw error;
    }
  }

  /**
   * The bytes of an upload that is created with them. Returns the offset after what was kept. Where bytes cannot be
   * written the reason is kept: a full disk is for the operator to mend, and the client's upload goes on afterwards.
   */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const incoming = await this.receive(await this.#find(id));
    try {
      const { path, position: start } = incoming;
      const file = createWriteStream(path, { flags: 'r+', start });
      await pipeline(readable, file);
      await incoming.keep(file.bytesWritten);
      return offset + file.bytesWritten;
    } finally {
      await incoming.discard();
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, offset, digest, kind } = await this.#find(id);
    return new Upload({ id, size, offset, metadata: { digest, kind } });
  }

  override async remove(id: string): Promise<void> {
    await this.#find(id);
    await this.store.openUploads.remove(id);
  }

  async #find(id: string): Promise<OpenUpload> {
    // The library takes an id from the end of a URL, whatever stands there.
    const upload = ID.test(id) ? await this.store.openUploads.find(id) : undefined;
    if (!upload) throw noSuchUpload();
    return upload;
  }
}

function noSuchUpload(): TacetError {
  return new TacetError('not-found', 'there is no such upload');
}
