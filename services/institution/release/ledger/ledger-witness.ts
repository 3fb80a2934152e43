/**
 * What a place outside the home knows of a ledger: a copy of the home, or one restored from a backup,
 * would forget what was released since, and release it again.
 *
 * The ledger has a generation, the number of segments that were ever recorded in it, and a random mark
 * that changes with each. The witness, a file below the user's state folder and named by the ledger's
 * id, holds the same two and the place of the home. Each release is announced there before the ledger
 * commits it and settled after, so a kill leaves one of two marks that the witness knows. Whoever opens
 * or releases must have the newest mark: of two copies, the one that released last goes on, and the other
 * is refused.
 *
 * It guards against a slip: nobody can be kept from copying the state folder as well, or a whole
 * machine; and a kill between commit and settling leaves a moment in which a copy from just before that
 * one segment passes for the home.
 */
import { randomBytes } from 'node:crypto';
import { realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readState, writeState } from '../../../../platform/files/state-file.js';
import { stateFolder } from '../../../../platform/user-folders.js';
import { TacetError } from '../../../../proto/errors.js';
import { NATURAL } from '../../../../proto/schemas.js';
import { type TObject, Type } from '../../../../proto/typebox.js';
import { closedObject, objectOrNull, type TypeOf } from '../../../../proto/typed-schema.js';
import { validator } from '../../../../proto/validator.js';
import { LedgerKey } from './ledger-key.js';

const MARK_BYTES = 16;
const GENERATION = {
  /** How many segments were recorded. */
  generation: NATURAL,
  /** Random, in hex; another one after each segment. */
  mark: Type.String({ pattern: '^[0-9a-f]{32}$' }),
};

/** How far a ledger has come. */
export type Generation = TypeOf<TObject<typeof GENERATION>>;

const RECORD = closedObject({
  /** The directory that holds the ledger. */
  home: Type.String({ minLength: 1 }),
  ...GENERATION,
  /** Announced, and not known to be committed. */
  next: objectOrNull(closedObject(GENERATION)),
});
type Record = TypeOf<typeof RECORD>;

const parseRecord = validator(RECORD, 'ledger-invalid', 'the witness of the ledger');

/** What a ledger says of itself; `mark` is null where no witness was ever made. */
export interface LedgerState {
  readonly generation: number;
  readonly mark: string | null;
}

export class LedgerWitness {
  private constructor(
    private readonly file: string,
    private readonly home: string,
    private readonly id: string,
  ) {}

  /** Of the ledger `id` in `home`. */
  static async of(id: string, home: string): Promise<LedgerWitness> {
    return new LedgerWitness(witnessFile(id), await realpath(home), id);
  }

  /** Of a ledger that is removed itself. */
  static async forget(id: string): Promise<void> {
    await rm(witnessFile(id), { force: true });
  }

  /**
   * Returns how far the ledger has come, as the witness now knows it too. Throws `ledger-copied` where
   * this ledger is a copy, or older than what the witness saw. Under the ledger's lock.
   */
  async recognise(state: LedgerState): Promise<Generation> {
    const record = await readState(this.file, parseRecord);
    if (!record) {
      if (state.mark !== null) throw this.#unknown();
      return this.#remember({ ...state, mark: newMark() });
    }
    await this.#requireOnly(record);
    const known = knownOf(state, record);
    if (!known) throw this.#behind(state, record);
    if (record.next !== null || record.home !== this.home) await this.#remember(known);
    return known;
  }

  /** Says that a segment is about to be recorded. Throws as `recognise` does. */
  async announce(state: Generation): Promise<Generation> {
    const record = await readState(this.file, parseRecord);
    if (!record) throw this.#unknown();
    if (record.home !== this.home) await this.#requireOnly(record);
    if (!knownOf(state, record)) throw this.#behind(state, record);
    const next = { generation: state.generation + 1, mark: newMark() };
    await writeState(this.file, { home: this.home, ...state, next });
    return next;
  }

  /** Says that what was announced is committed. Under the ledger's lock. */
  async settle(state: Generation): Promise<void> {
    const record = await readState(this.file, parseRecord);
    if (record?.next?.mark === state.mark) await this.#remember(state);
  }

  /**
   * Takes the ledger for the only one of its id, on the word of a person; every other copy is refused
   * from now on. Throws `ledger-copied` where releases would be forgotten, or where what the witness knows cannot be
   * read, unless `forgetReleases`.
   */
  async adopt(state: LedgerState, forgetReleases: boolean): Promise<Generation> {
    const record = await readState(this.file, parseRecord).catch((cause: unknown) => {
      if (forgetReleases) return undefined;
      throw this.#unreadable(cause);
    });
    if (record && !knownOf(state, record) && !forgetReleases) throw this.#behind(state, record);
    const newest = Math.max(state.generation, record?.next?.generation ?? record?.generation ?? 0);
    return this.#remember({ generation: newest + 1, mark: newMark() });
  }

  async #remember(known: Generation): Promise<Generation> {
    await writeState(this.file, { home: this.home, ...known, next: null });
    return known;
  }

  /** Throws where the home that the witness knows is still there, and another one. */
  async #requireOnly(record: Record): Promise<void> {
    if (record.home === this.home) return;
    const [here, there] = [await fileIn(this.home), await fileIn(record.home)];
    if (!there || (here?.dev === there.dev && here.ino === there.ino)) return;
    if ((await LedgerKey.idIn(record.home)) !== this.id) return;
    throw refused(
      `${this.home}: a copy of the home ${record.home}, which holds the same ledger ${this.id}`,
      `use that one; or, to go on with this one, remove that one and run tacet home adopt ${this.home}`,
    );
  }

  #unknown(): TacetError {
    return refused(
      `${this.home}: nothing on this machine knows ledger ${this.id} (${this.file} is missing), so it ` +
        'was brought here as a copy, or the state folder was lost',
      `make sure that no other copy of it is used, and run tacet home adopt ${this.home}`,
    );
  }

  /** A witness that is damaged may know of more releases than the ledger. */
  #unreadable(cause: unknown): TacetError {
    return refused(
      `${this.home}: what this machine knows of ledger ${this.id} cannot be read (${this.file})`,
      `restore that file; where it is lost, tacet home adopt ${this.home} --forget-releases goes on, and can then ` +
        'release again what the ledger does not know',
      cause,
    );
  }

  #behind({ generation }: LedgerState, record: Record): TacetError {
    const missing = record.generation - generation;
    const what =
      missing > 0
        ? `older than the last release: the last ${missing} segments recorded under ledger ${this.id} ` +
          'are missing in it'
        : `not the last state of ledger ${this.id}: another copy of it released something`;
    return refused(
      `${this.home}: ${what}`,
      `use the home that released last${record.home === this.home ? '' : ` (${record.home})`}; where it ` +
        `is lost, tacet home adopt ${this.home} --forget-releases goes on with this one, and can then ` +
        'release again what it forgot',
    );
  }
}

/** The generation that a ledger is at, if the witness knows it. */
function knownOf({ generation, mark }: LedgerState, record: Record): Generation | undefined {
  // Made before there were witnesses, or not yet told its mark.
  if (mark === null)
    return record.generation === 0 && record.next === null
      ? { generation, mark: record.mark }
      : undefined;
  if (mark === record.mark || mark === record.next?.mark) return { generation, mark };
  return undefined;
}

function witnessFile(id: string): string {
  return join(stateFolder(), 'ledgers', `${id}.json`);
}

function newMark(): string {
  return randomBytes(MARK_BYTES).toString('hex');
}

function fileIn(home: string): Promise<{ readonly dev: number; readonly ino: number } | undefined> {
  return stat(join(home, 'ledger.db')).catch(() => undefined);
}

function refused(fact: string, advice: string, cause?: unknown): TacetError {
  return new TacetError('ledger-copied', `${fact}; ${advice}`, { cause });
}
