import path from 'node:path';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { textIfThere } from '../../../platform/files/optional-file.js';
import { writeFailure } from '../../../platform/system-error.js';
import { TacetError } from '../../../proto/errors.js';
import { Type } from '../../../proto/typebox.js';
import { validator } from '../../../proto/validator.js';
import { RunDirectory } from '../../training/run/run-directory.js';
import { ATTACK_REPORT, type AttackReport } from '../attack.js';

const check = validator(
  Type.Array(ATTACK_REPORT, { minItems: 1 }),
  'checkpoint-invalid',
  'results',
);

/** An audit on disk, so that it can go on after an interruption: finished attacks, checkpoints. */
export class AuditDirectory {
  private constructor(readonly run: RunDirectory) {}

  /**
   * Throws `file-exists` where an audit was begun in it, or with `resume`, `file-not-found` where none
   * was and `checkpoint-invalid` where another one was.
   */
  static async open(
    directory: string,
    config: unknown,
    options: { readonly resume?: boolean } = {},
  ): Promise<AuditDirectory> {
    const run = await RunDirectory.open(directory, config, options);
    const attacks = path.join(directory, 'attacks');
    try {
      makeFolders(attacks);
    } catch (error) {
      throw writeFailure(error, attacks);
    }
    return new AuditDirectory(run);
  }

  /**
   * What an attack came to, or null where it has not ended. Throws `checkpoint-invalid`, naming the
   * file, where what was kept of it is damaged.
   */
  async finished(attack: string): Promise<readonly AttackReport[] | null> {
    const file = this.#file(attack);
    const text = await textIfThere(file);
    return text === undefined ? null : parse(file, text);
  }

  async finish(attack: string, reports: readonly AttackReport[]): Promise<void> {
    const file = this.#file(attack);
    await writeAtomically(file, JSON.stringify(reports));
  }

  #file(attack: string): string {
    return path.join(this.run.path, 'attacks', `${attack}.json`);
  }
}

function parse(file: string, text: string): readonly AttackReport[] {
  try {
    return check(JSON.parse(text));
  } catch (error) {
    const fault = error instanceof TacetError ? error.message : 'no whole JSON';
    throw new TacetError(
      'checkpoint-invalid',
      `${file}: expected the results of a finished attack, found ${fault}; delete the file and ` +
        'resume, then the attack is run again',
    );
  }
}
