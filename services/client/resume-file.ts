import { readFile, rename, writeFile } from 'node:fs/promises';
import type { PreviousUpload, UrlStorage } from 'tus-js-client';

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
    try {
      const uploads: unknown = JSON.parse(await readFile(this.path, 'utf8'));
      return Array.isArray(uploads) ? uploads : [];
    } catch {
      return [];
    }
  }

  async #write(uploads: readonly PreviousUpload[]): Promise<void> {
    const temporary = `${this.path}.new`;
    await writeFile(temporary, JSON.stringify(uploads), { mode: 0o600 });
    await rename(temporary, this.path);
  }
}
