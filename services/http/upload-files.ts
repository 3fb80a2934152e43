import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import type { Upload } from '@tus/server';
import type { Store } from '../../pool-store/store.js';
import type { Limits } from './limits.js';
import { requireRoom } from './upload-admission.js';

/** Whoever makes an upload of a store takes this turn, so that each is checked with all before it. */
const CREATION = 'the creation of an upload';

/**
 * The unfinished uploads of a store, within its limits. Where bytes cannot be written the reason is kept: a full
 * disk is for the operator to mend, and the client's upload goes on afterwards.
 */
export class UploadFiles extends FileStore {
  constructor(
    readonly store: Store,
    readonly limits: Limits,
  ) {
    super({ directory: store.uploads });
  }

  /** Throws `quota-exceeded` or `store-full`. */
  override create(upload: Upload): Promise<Upload> {
    return this.store.turns.take(CREATION, async () => {
      await requireRoom(this.store, upload, this.limits);
      return super.create(upload);
    });
  }

  /** Returns the offset after what was written. */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, id), { flags: 'r+', start: offset });
    await pipeline(readable, file);
    return offset + file.bytesWritten;
  }
}
