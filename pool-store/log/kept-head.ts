import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import type { LogHead } from '../../proto/log-head.js';

const FORM = /^(\d{16}) ([0-9a-f]{64})\n$/;

/**
 * The newest head of the log that was committed, in a file beside the catalog: it shows whether the
 * catalog was exchanged for an older copy of itself, or lost its write-ahead log. It is written after
 * each commit and not synced, so it is never ahead of the catalog and may be a little behind.
 */
export class KeptHead {
  #newest: number;

  constructor(readonly path: string) {
    this.#newest = this.read()?.sequence ?? 0;
  }

  /** Undefined where none was kept yet, or a power cut left none. */
  read(): LogHead | undefined {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch {
      return undefined;
    }
    const [, sequence, hash] = FORM.exec(text) ?? [];
    return hash === undefined ? undefined : { sequence: Number(sequence), hash };
  }

  /** Keeps a head that was committed; one that is older than the newest changes nothing. */
  advance({ sequence, hash }: LogHead): void {
    if (sequence <= this.#newest) return;
    this.#newest = sequence;
    try {
      // In place and in one write of one length, so that a kill leaves the old line or the new one.
      const file = openSync(this.path, constants.O_WRONLY | constants.O_CREAT, 0o600);
      try {
        writeSync(file, `${String(sequence).padStart(16, '0')} ${hash}\n`, 0);
      } finally {
        closeSync(file);
      }
    } catch {
      // The change itself is safe. On a full disk what is kept is an older head, which is true as well.
    }
  }
}
