import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RunDirectory } from '../training/run-directory.js';
import type { AttackReport } from './attack.js';

/** An audit on disk, so that it can go on after an interruption: finished attacks, checkpoints. */
export class AuditDirectory {
  private constructor(readonly run: RunDirectory) {}

  /**
   * Throws `file-exists` where an audit was begun in it, or with `resume`, `checkpoint-invalid` where
   * another one was.
   */
  static async open(
    directory: string,
    config: unknown,
    options: { readonly resume?: boolean } = {},
  ): Promise<AuditDirectory> {
    const run = await RunDirectory.open(directory, config, options);
    await mkdir(path.join(directory, 'attacks'), { recursive: true });
    return new AuditDirectory(run);
  }

  /** What an attack came to, or null where it has not ended. */
  async finished(attack: string): Promise<AttackReport[] | null> {
    const text = await readFile(this.#file(attack), 'utf8').catch(() => null);
    return text === null ? null : (JSON.parse(text) as AttackReport[]);
  }

  async finish(attack: string, reports: readonly AttackReport[]): Promise<void> {
    const file = this.#file(attack);
    await writeFile(`${file}.part`, JSON.stringify(reports));
    await rename(`${file}.part`, file);
  }

  #file(attack: string): string {
    return path.join(this.run.path, 'attacks', `${attack}.json`);
  }
}
