import { readFile } from 'node:fs/promises';
import type { PreviousUpload, UrlStorage } from 'tus-js-client';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { jsonIn } from '../../proto/json-text.js';

/** Remembers the addresses of unfinished uploads in a JSON file, for one process at a time. */
export class ResumeFile implements UrlStorage {
  constructor(readonly path: string) {}

  async findAllUploads(): Promise<PreviousUpload[]> {
    return this.#read();
  }

  async findUploadsByFingerprint(fingerprint: string): Promise<PreviousUpload[]> {
    const uploads = await this.#read();
    return uploads.filter(({ urlStorageKey }) => urlStorageKey === fingerprint);
  }

  async removeUpload(urlStorageKey: string): Promise<void> {
    const uploads = await this.#read();
    await this.#write(uploads.filter((upload) => upload.urlStorageKey !== urlStorageKey));
  }

  /** One address a fingerprint is kept: the newest. */
  async addUpload(fingerprint: string, upload: PreviousUpload): Promise<string> {
    const others = (await this.#read()).filter((one) => one.urlStorageKey !== fingerprint);
    await this.#write([...others, { ...upload, urlStorageKey: fingerprint }]);
    return fingerprint;
  }

  /** A missing or damaged file costs a resumption, never an upload. */
  async #read(): Promise<PreviousUpload[]> {
    const uploads = jsonIn(await readFile(this.path).catch(() => ''));
    return Array.isArray(uploads) ? uploads : [];
  }

  async #write(uploads: readonly PreviousUpload[]): Promise<void> {
    await writeAtomically(this.path, JSON.stringify(uploads), { isPrivate: true });
  }
}
