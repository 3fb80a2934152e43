/**
 * What this institution has released: keyed hashes of sentences with a count, keyed hashes of PHI
 * entities with what was revealed of them, the segments, the contributions made of those, and the
 * strictest bounds that held for a release. SQLite in WAL mode with `synchronous=FULL`, so a commit
 * survives a kill and a power loss. No text, no token, no document id.
 */
import { chmod, stat } from 'node:fs/promises';
import type { Database, Statement } from '../../../../platform/sqlite/database.js';
import { systemCode } from '../../../../platform/system-error.js';
import type { EntityTreatment } from '../../../../proto/entity-treatment.js';
import { TacetError } from '../../../../proto/errors.js';
import type { ProtectiveTreatment } from '../suspects/second-reader.js';
import { LedgerAlike } from './ledger-alike.js';
import { asLedgerError, connect, exclusively, whenFree } from './ledger-database.js';
import { type DrawnNote, LedgerDocuments } from './ledger-documents.js';
import { type EntityShare, LedgerEntities } from './ledger-entities.js';
import { LedgerKey } from './ledger-key.js';
import { createTables, LEDGER_BOUNDS, ledgerFile } from './ledger-schema.js';
import { LedgerSegments, type SegmentRow } from './ledger-segments.js';
import { type Generation, type LedgerState, LedgerWitness } from './ledger-witness.js';

/** A sentence of a segment, and what it reveals of each entity in it, by hash in hex. */
export interface Release {
  readonly hash: Uint8Array;
  /** Its hash without its entities; empty where they were kept. */
  readonly alike: Uint8Array;
  readonly charges: readonly EntityShare[];
}

/** What releases keep to; null where nothing was stated. */
export interface Bounds {
  readonly certified: number | null;
  /** N of the certificates: the fewest candidates of a moved word. */
  readonly neighbours: number | null;
  readonly maxReleases: number | null;
  readonly minDocuments: number | null;
  /** How many sentences may be alike but for their entities. */
  readonly maxAlike: number | null;
  /** Of how many documents the labels of all that leaves are, at least. */
  readonly labelDocuments: number | null;
  readonly entities: EntityTreatment | null;
  /** Where entities are replaced, the types of which they are kept, see `keptTypesText`. */
  readonly keptTypes: string | null;
  /** What a second reader did first with what it suspected; null where none left anything out or replaced it. */
  readonly suspects: ProtectiveTreatment | null;
}

export class Ledger {
  /** What a policy may pin it by. */
  readonly id: string;
  readonly segments: LedgerSegments;
  readonly entities: LedgerEntities;
  readonly documents: LedgerDocuments;
  readonly alike: LedgerAlike;
  /** Asked for every sentence, so prepared once. */
  readonly #count: Statement<[Uint8Array], number>;

  /** Whether a segment was announced and the lock not given back since. */
  #announced = false;

  private constructor(
    private readonly db: Database,
    /** What its hashes are made with. */
    readonly key: LedgerKey,
    private readonly witness: LedgerWitness,
  ) {
    this.id = key.id();
    this.#count = db
      .prepare<[Uint8Array], number>('SELECT count FROM releases WHERE sentence = ?')
      .pluck();
    this.segments = new LedgerSegments(db);
    this.entities = new LedgerEntities(db);
    this.documents = new LedgerDocuments(db);
    this.alike = new LedgerAlike(db);
  }

  /** Whether `home` holds a ledger that counts a release; makes none there. */
  static async isUsed(home: string, signal?: AbortSignal): Promise<boolean> {
    const ledger = await Ledger.openExisting(home, signal);
    if (!ledger) return false;
    const isUsed = ledger.db.prepare('SELECT 1 FROM segments LIMIT 1').get() !== undefined;
    ledger.close();
    return isUsed;
  }

  /** As `open`; undefined where there is no ledger. */
  static async openExisting(home: string, signal?: AbortSignal): Promise<Ledger | undefined> {
    return (await hasLedger(home)) ? openIn(home, signal) : undefined;
  }

  /**
   * Opens the ledger in `home`. Throws `home-missing` where there is none, `ledger-invalid`,
   * `ledger-copied` where it is not the only one of its id or not its last state, `key-invalid` where
   * others may read its key, and `file-unwritable` where it cannot be written.
   */
  static async open(home: string, signal?: AbortSignal): Promise<Ledger> {
    const ledger = await Ledger.openExisting(home, signal);
    if (ledger) return ledger;
    throw new TacetError(
      'home-missing',
      `${home}: there is no home of an encoder; give the --home that was encoded in, or make one by ` +
        'encoding with --new-home: in another home, what was released counts as new',
    );
  }

  /** As `open`, but makes the ledger, and the home, where there is none. */
  static openOrMake(home: string, signal?: AbortSignal): Promise<Ledger> {
    return openIn(home, signal);
  }

  /**
   * Takes the ledger in `home` for the only one of its id. Throws `home-missing`, and `ledger-foreign`
   * where it is another than `id`, and `ledger-copied` where releases would be forgotten.
   */
  static async adopt(home: string, id: string, forgetReleases: boolean): Promise<void> {
    if (!(await hasLedger(home))) return void (await Ledger.open(home));
    const ledger = await openIn(home, undefined, async (witness, state, found) => {
      if (found === id) return witness.adopt(state, forgetReleases);
      throw new TacetError('ledger-foreign', `${home}: holds ledger ${found}, not ${id}`);
    });
    ledger.close();
  }

  static of(db: Database, key: LedgerKey, witness: LedgerWitness): Ledger {
    return new Ledger(db, key, witness);
  }

  /**
   * Runs `work` while no other process writes to this ledger: what `work` reads stays true until
   * what it writes is committed. Rolled back where `work` throws.
   */
  async exclusively<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      const result = await exclusively(this.db, work, signal);
      if (this.#announced) {
        this.#announced = false;
        await exclusively(this.db, () => this.witness.settle(this.generation()), undefined);
      }
      return result;
    } catch (error) {
      throw asLedgerError(error, this.db.name);
    }
  }

  /** Runs `work` on one state of the ledger, whoever writes meanwhile; many look-ups then cost less. */
  reading<T>(work: () => T): T {
    return this.db.transaction(work)();
  }

  /** Another number whenever anyone else has written to the ledger. */
  version(): number {
    return this.db.pragma('data_version', { simple: true }) as number;
  }

  /** How often the sentence has been released. */
  releasesOf(sentence: Uint8Array): number {
    return this.#count.get(sentence) ?? 0;
  }

  /** Whether all that was ever released is counted in `entities`. */
  isCertified(): boolean {
    return !this.db
      .prepare(
        `SELECT 1 FROM segments WHERE certified IS NULL
         UNION ALL SELECT 1 FROM earlier_entities LIMIT 1`,
      )
      .get();
  }

  /** Whether nothing ever left under it, and no job binds a later one. */
  holdsNothing(): boolean {
    return (
      this.generation().generation === 0 &&
      Object.values(this.bounds()).every((bound) => bound === null)
    );
  }

  /** The strictest that any release kept to. */
  bounds(): Bounds {
    return this.db.prepare<[], Bounds>(LEDGER_BOUNDS).get() as Bounds;
  }

  /** Remembers what a release keeps to, so far as it was stated. */
  recordBounds(bounds: Omit<Bounds, 'certified'>): void {
    const { neighbours, maxReleases, minDocuments, maxAlike, entities, keptTypes } = bounds;
    const { labelDocuments, suspects } = bounds;
    this.db
      .prepare(
        `UPDATE bounds SET
           neighbours = max(ifnull(neighbours, $candidates), ifnull($candidates, neighbours)),
           max_releases = min(ifnull(max_releases, $most), ifnull($most, max_releases)),
           min_documents = max(ifnull(min_documents, $least), ifnull($least, min_documents)),
           max_alike = min(ifnull(max_alike, $alike), ifnull($alike, max_alike)),
           label_documents = max(ifnull(label_documents, $labels), ifnull($labels, label_documents)),
           entities = ifnull(entities, $entities),
           kept_types = ifnull($kept, kept_types),
           suspects = ifnull(suspects, $suspects)`,
      )
      .run({
        ...{ candidates: neighbours, most: maxReleases, least: minDocuments },
        ...{ alike: maxAlike, labels: labelDocuments, entities, kept: keptTypes, suspects },
      });
  }

  /**
   * Counts one release of each sentence and takes the segment that holds them into the ledger, and the notes with
   * replaced entities that they are of. Throws `ledger-copied` where another copy of this ledger has released
   * something meanwhile.
   */
  async recordSegment(
    segment: SegmentRow,
    releases: Iterable<Release>,
    notes: Iterable<DrawnNote> = [],
  ): Promise<void> {
    const { generation, mark } = await this.witness.announce(this.generation());
    this.#announced = true;
    this.db.prepare('UPDATE history SET generation = ?, mark = ?').run(generation, hexBytes(mark));
    const count = this.db.prepare<[Uint8Array]>(
      'INSERT INTO releases VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1',
    );
    for (const { hash, alike, charges } of releases) {
      count.run(hash);
      if (alike.length > 0) this.alike.add(alike);
      this.entities.charge(charges);
    }
    for (const note of notes) this.documents.add(note);
    this.segments.add(segment);
  }

  close(): void {
    this.db.close();
  }

  /** How far it has come. */
  generation(): Generation {
    return stateOf(this.db) as Generation;
  }
}

type Recognise = (witness: LedgerWitness, state: LedgerState, id: string) => Promise<Generation>;

const RECOGNISED: Recognise = (witness, state) => witness.recognise(state);

async function openIn(
  home: string,
  signal: AbortSignal | undefined,
  recognise: Recognise = RECOGNISED,
): Promise<Ledger> {
  const file = ledgerFile(home);
  const db = await connect(home, file);
  try {
    await chmod(file, 0o600);
    await whenFree(() => db.pragma('journal_mode = WAL'), signal);
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    await exclusively(db, () => createTables(db, home), signal);
    const key = await exclusively(db, () => readKey(db, home), signal);
    const witness = await LedgerWitness.of(key.id(), home);
    await exclusively(
      db,
      async () => {
        const { generation, mark } = await recognise(witness, stateOf(db), key.id());
        db.prepare('UPDATE history SET generation = ?, mark = ?').run(generation, hexBytes(mark));
      },
      signal,
    );
    return Ledger.of(db, key, witness);
  } catch (error) {
    db.close();
    throw asLedgerError(error, file);
  }
}

async function hasLedger(home: string): Promise<boolean> {
  const file = ledgerFile(home);
  const isThere = await stat(file).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw asLedgerError(error, file);
  });
  if (!isThere) await LedgerKey.requireNone(home);
  return isThere !== undefined;
}

function stateOf(db: Database): LedgerState {
  return db
    .prepare<[], LedgerState>(
      'SELECT generation, iif(mark IS NULL, NULL, lower(hex(mark))) AS mark FROM history',
    )
    .get() as LedgerState;
}

function hexBytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

async function readKey(db: Database, home: string): Promise<LedgerKey> {
  await LedgerKey.settle(home);
  const row = db.prepare<[], { value: Buffer }>('SELECT value FROM key_check').get();
  if (!row) throw new TacetError('ledger-invalid', `${db.name}: the key check is missing`);
  return LedgerKey.read(home, row.value);
}
