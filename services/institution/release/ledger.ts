/**
 * What this institution has released: keyed hashes of sentences with a count, keyed hashes of PHI
 * entities with what was revealed of them, the segments, the contributions made of those, and the
 * strictest bounds that held for a release. SQLite in WAL mode with `synchronous=FULL`, so a commit
 * survives a kill and a power loss. No text, no token, no document id.
 */
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Statement } from '../../../platform/sqlite/database.js';
import { systemCode } from '../../../platform/system-error.js';
import type { EntityTreatment } from '../../../proto/entity-treatment.js';
import { TacetError } from '../../../proto/errors.js';
import { type Charge, plus } from './charge.js';
import { asLedgerError, connect, exclusively, whenFree } from './ledger-database.js';
import { LedgerKey } from './ledger-key.js';
import { createTables } from './ledger-schema.js';
import { type Generation, type LedgerState, LedgerWitness } from './ledger-witness.js';
import { NOTHING_SPENT, type Spent } from './withhold.js';

export interface SegmentRow {
  /** SHA-256 in hex of the bytes, and the file's name. */
  readonly digest: string;
  readonly model: string;
  readonly scheme: string;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
  /** The limit that it was certified under (`WithholdPolicy`); null where it was not. */
  readonly certified: number | null;
  /** SHA-256 in hex of the inventory whose entities stand in it; null where they were kept. */
  readonly inventory: string | null;
}

const SEGMENT_COLUMNS = 'digest, model, scheme, sentences, tokens, bytes, certified, inventory';

/** A sentence of a segment, and what it reveals of each entity in it, by hash in hex. */
export interface Release {
  readonly hash: Uint8Array;
  /** Its hash without its entities; empty where they were kept. */
  readonly alike: Uint8Array;
  readonly charges: readonly (Charge & { readonly entity: string })[];
}

interface EntityRow extends Pick<Spent, 'sentences' | 'companions'> {
  readonly squared: Buffer;
  readonly told: number;
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
  readonly entities: EntityTreatment | null;
}

export interface ContributionRow {
  /** SHA-256 in hex of the envelope. */
  readonly digest: string;
  readonly envelope: Buffer;
}

export class Ledger {
  /** What a policy may pin it by. */
  readonly id: string;
  /** Asked for every sentence, so prepared once. */
  readonly #count: Statement<[Uint8Array], number>;
  readonly #alike: Statement<[Uint8Array], number>;
  readonly #spent: Statement<[Buffer], EntityRow>;

  /** Whether a segment was announced and the lock not given back since. */
  #announced = false;

  private constructor(
    private readonly db: Database,
    private readonly key: LedgerKey,
    private readonly witness: LedgerWitness,
  ) {
    this.id = key.id();
    this.#count = db
      .prepare<[Uint8Array], number>('SELECT count FROM releases WHERE sentence = ?')
      .pluck();
    this.#alike = db
      .prepare<[Uint8Array], number>('SELECT count FROM alike WHERE sentence = ?')
      .pluck();
    this.#spent = db.prepare(
      'SELECT squared, sentences, companions, told FROM entities WHERE entity = ?',
    );
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
  reading(work: () => void): void {
    this.db.transaction(work)();
  }

  /** Another number whenever anyone else has written to the ledger. */
  version(): number {
    return this.db.pragma('data_version', { simple: true }) as number;
  }

  hashSentence(rowKeys: readonly string[]): Buffer {
    return this.key.hashSentence(rowKeys);
  }

  /** As `hashSentence`, where each key is `framed` already. */
  hashFramedRows(frames: readonly string[]): Buffer {
    return this.key.hashFramedRows(frames);
  }

  hashPlace(document: Uint8Array, ordinal: number): Buffer {
    return this.key.hashPlace(document, ordinal);
  }

  hashMasked(frames: readonly string[]): Buffer {
    return this.key.hashMasked(frames);
  }

  surrogateSecret(): Buffer {
    return this.key.surrogateSecret();
  }

  /** How often a sentence has been released that is alike but for its entities. */
  alikeReleasesOf(masked: Uint8Array): number {
    return this.#alike.get(masked) ?? 0;
  }

  /** How often the sentence has been released. */
  releasesOf(sentence: Uint8Array): number {
    return this.#count.get(sentence) ?? 0;
  }

  hashEntity(words: readonly string[]): Buffer {
    return this.key.hashEntity(words);
  }

  /** As `LedgerKey.certificateSeed`. */
  certificateSeed(): number {
    return this.key.certificateSeed();
  }

  /** What all releases together reveal of an entity, by its hash in hex. */
  spentOn(entity: string): Spent {
    const row = this.#spent.get(Buffer.from(entity, 'hex'));
    if (!row) return NOTHING_SPENT;
    const { told, squared, ...counts } = row;
    return { ...counts, squared: fromBytes(squared), isTold: told === 1 };
  }

  /** Whether all that was ever released is counted in `spentOn`. */
  isCertified(): boolean {
    return !this.db
      .prepare(
        `SELECT 1 FROM segments WHERE certified IS NULL
         UNION ALL SELECT 1 FROM earlier_entities LIMIT 1`,
      )
      .get();
  }

  /** The strictest that any release kept to. */
  bounds(): Bounds {
    return this.db
      .prepare<[], Bounds>(
        `SELECT (SELECT min(certified) FROM segments) AS certified,
           neighbours, max_releases AS maxReleases, min_documents AS minDocuments,
           max_alike AS maxAlike, entities FROM bounds`,
      )
      .get() as Bounds;
  }

  /** Remembers what a release keeps to, so far as it was stated. */
  recordBounds(bounds: Omit<Bounds, 'certified'>): void {
    const { neighbours, maxReleases, minDocuments, maxAlike, entities } = bounds;
    this.db
      .prepare(
        `UPDATE bounds SET
           neighbours = max(ifnull(neighbours, $candidates), ifnull($candidates, neighbours)),
           max_releases = min(ifnull(max_releases, $most), ifnull($most, max_releases)),
           min_documents = max(ifnull(min_documents, $least), ifnull($least, min_documents)),
           max_alike = min(ifnull(max_alike, $alike), ifnull($alike, max_alike)),
           entities = ifnull(entities, $entities)`,
      )
      .run({
        ...{ candidates: neighbours, most: maxReleases, least: minDocuments },
        ...{ alike: maxAlike, entities },
      });
  }

  /**
   * Counts one release of each sentence and takes the segment that holds them into the ledger. Throws
   * `ledger-copied` where another copy of this ledger has released something meanwhile.
   */
  async recordSegment(segment: SegmentRow, releases: Iterable<Release>): Promise<void> {
    const { generation, mark } = await this.witness.announce(this.generation());
    this.#announced = true;
    this.db.prepare('UPDATE history SET generation = ?, mark = ?').run(generation, hexBytes(mark));
    const count = this.db.prepare<[Uint8Array]>(
      'INSERT INTO releases VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1',
    );
    const countAlike = this.db.prepare<[Uint8Array]>(
      'INSERT INTO alike VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1',
    );
    for (const { hash, alike, charges } of releases) {
      count.run(hash);
      if (alike.length > 0) countAlike.run(alike);
      for (const { entity, squared } of charges)
        this.#spend(entity, {
          squared,
          sentences: 1,
          companions: charges.length - 1,
          isTold: false,
        });
    }
    this.db
      .prepare<[SegmentRow]>(
        `INSERT INTO segments (${SEGMENT_COLUMNS}) VALUES
         (@digest, @model, @scheme, @sentences, @tokens, @bytes, @certified, @inventory)`,
      )
      .run(segment);
  }

  /** Remembers entities of which what is missing may tell anything, by their hashes in hex. */
  recordTold(entities: Iterable<string>): void {
    for (const entity of entities) this.#spend(entity, { ...NOTHING_SPENT, isTold: true });
  }

  #spend(entity: string, more: Spent): void {
    const before = this.spentOn(entity);
    const { squared } = plus(before, more);
    this.db
      .prepare<[Buffer, Buffer, number, number, number]>(
        'INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?, ?)',
      )
      .run(
        Buffer.from(entity, 'hex'),
        Buffer.from(squared.buffer, squared.byteOffset, squared.byteLength),
        before.sentences + more.sentences,
        before.companions + more.companions,
        before.isTold || more.isTold ? 1 : 0,
      );
  }

  /** Segments that no pool has promised to keep, in the order of their digests. */
  pendingSegments(): SegmentRow[] {
    return this.db
      .prepare<[], SegmentRow>(
        `SELECT ${SEGMENT_COLUMNS} FROM segments
         WHERE contribution IS NULL
            OR contribution IN (SELECT digest FROM contributions WHERE id IS NULL)
         ORDER BY digest`,
      )
      .all();
  }

  /** Pending segments that no contribution names yet. */
  unclaimedSegments(): SegmentRow[] {
    return this.db
      .prepare<[], SegmentRow>(
        `SELECT ${SEGMENT_COLUMNS} FROM segments
         WHERE contribution IS NULL ORDER BY digest`,
      )
      .all();
  }

  /** Contributions that were signed and not yet accepted. */
  pendingContributions(): ContributionRow[] {
    return this.db
      .prepare<[], ContributionRow>(
        'SELECT digest, envelope FROM contributions WHERE id IS NULL ORDER BY digest',
      )
      .all();
  }

  segmentsOf(contribution: string): SegmentRow[] {
    return this.db
      .prepare<[string], SegmentRow>(
        `SELECT ${SEGMENT_COLUMNS} FROM segments
         WHERE contribution = ? ORDER BY digest`,
      )
      .all(contribution);
  }

  /** Stores a signed contribution before its first attempt, so that each retry sends the same one. */
  recordContribution({ digest, envelope }: ContributionRow, segments: readonly SegmentRow[]): void {
    this.db
      .prepare('INSERT INTO contributions (digest, envelope) VALUES (?, ?)')
      .run(digest, envelope);
    const claim = this.db.prepare('UPDATE segments SET contribution = ? WHERE digest = ?');
    for (const segment of segments) claim.run(digest, segment.digest);
  }

  /** Takes back a contribution that no pool has accepted; its segments wait again. */
  dropContribution(digest: string): void {
    this.db.prepare('UPDATE segments SET contribution = NULL WHERE contribution = ?').run(digest);
    this.db.prepare('DELETE FROM contributions WHERE digest = ? AND id IS NULL').run(digest);
  }

  /** The pool has promised to keep the contribution, under the name `id`. */
  recordAcceptance(contribution: string, id: string): void {
    this.db.prepare('UPDATE contributions SET id = ? WHERE digest = ?').run(id, contribution);
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
  const file = join(home, 'ledger.db');
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
  const file = join(home, 'ledger.db');
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

function fromBytes(bytes: Buffer): Float64Array {
  // A copy, since a view must begin at a multiple of eight.
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

async function readKey(db: Database, home: string): Promise<LedgerKey> {
  await LedgerKey.settle(home);
  const row = db.prepare<[], { value: Buffer }>('SELECT value FROM key_check').get();
  if (!row) throw new TacetError('ledger-invalid', `${db.name}: the key check is missing`);
  return LedgerKey.read(home, row.value);
}
