import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';

/**
 * The unfinished uploads of a directory. Where bytes cannot be written the reason is kept: a full
 * disk is for the operator to mend, and the client's upload goes on afterwards.
 */
export class UploadFiles extends FileStore {
  /** Returns the offset after what was written. */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, id), { flags: 'r+', start: offset });
    await pipeline(readable, file);
    return offset + file.bytesWritten;
  }
}
