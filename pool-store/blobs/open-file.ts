import type { FileHandle } from 'node:fs/promises';
import { TacetError } from '../../proto/errors.js';
import type { OpenBlob } from './blobs.js';

/** A blob in a file of its own. */
export class OpenFile implements OpenBlob {
  constructor(
    readonly file: FileHandle,
    readonly bytes: number,
  ) {}

  async readInto(offset: number, target: Buffer): Promise<void> {
    const { length } = target;
    if ((await this.file.read(target, 0, length, offset)).bytesRead === length) return;
    throw new TacetError('segment-invalid', `the segment has no ${length} bytes at byte ${offset}`);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
