import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../../../platform/sqlite/database.js';
import type { Statements } from '../../../pool-store/catalog/catalog.js';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { Leases } from '../../../pool-store/catalog/leases.js';
import { PostgresCatalog } from '../../../pool-store/catalog/postgres-catalog.js';
import { POSTGRES_MIGRATIONS } from '../../../pool-store/catalog/postgres-migrations.js';
import type { PostgresPlace } from '../../../pool-store/catalog/postgres-pool.js';
import { SqliteCatalog } from '../../../pool-store/catalog/sqlite-catalog.js';
import { putMoment, takeMoment } from '../../../pool-store/copies/copy-catalog.js';
import { ChangeLog } from '../../../pool-store/log/change-log.js';
import { Tokens } from '../../../pool-store/members/tokens.js';
import { catalogFor, describeOnPostgres } from '../opened-store.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-postgres-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A schema of its own. */
async function placeFor(name: string): Promise<PostgresPlace> {
  const place = await catalogFor(join(root, name));
  if (!place) throw new Error('these tests are run on PostgreSQL');
  return place;
}

async function rowsOf(place: PostgresPlace, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const columnsOf = (place: PostgresPlace) =>
  rowsOf(
    place,
    `SELECT table_name || '.' || column_name AS name, data_type AS type, is_nullable, column_default, collation_name
     FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1`,
  );

const indicesOf = (place: PostgresPlace) =>
  rowsOf(
    place,
    `SELECT replace(indexdef, current_schema() || '.', '') AS text FROM pg_indexes
     WHERE schemaname = current_schema() ORDER BY 1`,
  );

const constraintsOf = (place: PostgresPlace) =>
  rowsOf(
    place,
    `SELECT conrelid::regclass::text AS on, conname, pg_get_constraintdef(oid) AS text FROM pg_constraint
     WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  );

describeOnPostgres('the tables of a catalog in PostgreSQL', () => {
  test('of the first version are brought to those of today, with what they hold', async () => {
    const old = await placeFor('old');
    await (await PostgresCatalog.open(old, POSTGRES_MIGRATIONS.slice(0, 1))).close();
    const digest = 'd'.repeat(64);
    await rowsOf(
      old,
      `INSERT INTO identities VALUES ('key', 'north', '\\x00', 'then', 'then');
       INSERT INTO blobs VALUES ('${digest}', 'segment', 10, 'then', NULL, 'north');
       INSERT INTO contributions VALUES ('one', 'north', 'key', 'm', 's', '{}', 'then', NULL, 'kept', NULL, 1);
       INSERT INTO segments VALUES ('${digest}', 'one', 'm', 's', 2, 50, 'float16', 1, 2, 10, 1.5);
       INSERT INTO log VALUES (1, 'then', 'tried', 'x', '{}', '', 'h')`,
    );
    const catalog = await PostgresCatalog.open(old);
    const [segment] = await catalog.read.selectFrom('segments').selectAll().execute();
    expect(segment).toEqual(
      expect.objectContaining({ digest, contribution: 'one', blocks: '[]', kept_types: '' }),
    );
    const { kept_types } = await catalog.read
      .selectFrom('contributions')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(kept_types).toBe('');
    expect(await new ChangeLog(catalog).head()).toEqual({ sequence: 1, hash: 'h' });
    await catalog.close();
    const fresh = await placeFor('fresh');
    await (await PostgresCatalog.open(fresh)).close();
    for (const part of [columnsOf, indicesOf, constraintsOf])
      expect(await part(old)).toEqual(await part(fresh));
  });

  test('are changed once what writes by the older version is done, and by that version no more', async () => {
    const place = await placeFor('mixed');
    const older = await PostgresCatalog.open(place, POSTGRES_MIGRATIONS.slice(0, -1));
    const done: string[] = [];
    let upgrade: Promise<PostgresCatalog> | undefined;
    await older.write(async (transaction) => {
      upgrade = PostgresCatalog.open(place).then((newer) => {
        done.push('upgraded');
        return newer;
      });
      await sql`SELECT pg_sleep(1)`.execute(transaction);
      done.push('written');
    }, 'uploads');
    const newer = await upgrade;
    expect(done).toEqual(['written', 'upgraded']);
    for (const area of ['records', 'uploads', 'leases'] as const)
      await expect(older.write(async () => undefined, area)).rejects.toEqual(
        expect.objectContaining({ code: 'store-version' }),
      );
    await newer?.write(async () => undefined);
    for (const catalog of [older, newer]) await catalog?.close();
  });

  test('are left as they are while a server of an older release serves them', async () => {
    const place = await placeFor('served');
    const older = await PostgresCatalog.open(place, POSTGRES_MIGRATIONS.slice(0, -1));
    const leases = new Leases(older);
    await leases.take('serving', 'a server', 60_000);
    await expect(PostgresCatalog.open(place)).rejects.toEqual(
      expect.objectContaining({
        code: 'store-busy',
        message: expect.stringMatching(/older release/),
      }),
    );
    await older.write(async () => undefined);
    await leases.release('serving', 'a server');
    await (await PostgresCatalog.open(place)).close();
    await older.close();
  });

  test('have the names that those of SQLite have', async () => {
    const place = await placeFor('names');
    await (await PostgresCatalog.open(place)).close();
    const path = join(root, 'names.db');
    await new SqliteCatalog(path).close();
    const file = openDatabase(path);
    const inSqlite = file
      .prepare<[], string>(
        `SELECT schema.name || '.' || columns.name FROM sqlite_schema AS schema
         JOIN pragma_table_info(schema.name) AS columns WHERE schema.type = 'table'`,
      )
      .pluck()
      .all();
    file.close();
    const inPostgres = (await columnsOf(place)).map(({ name }) => String(name));
    // SQLite keeps the version in the head of its file, and has no other servers that ask for samples.
    const names = inPostgres.filter(
      (name) => name !== 'catalog_version.version' && !name.startsWith('recent_samples.'),
    );
    expect(names.sort()).toEqual(inSqlite.sort());
  });
});

describeOnPostgres('the limit on the time of a statement', () => {
  const SLOW = 'SELECT pg_sleep(5)';
  let place: PostgresPlace;

  beforeEach(async () => {
    place = { ...(await placeFor('slow')), timeoutMs: 4000 };
  });

  test('does not end a migration, nor the start of a server that waits for it', async () => {
    const migrations = [...POSTGRES_MIGRATIONS, SLOW];
    const opened = await Promise.all([1, 2].map(() => PostgresCatalog.open(place, migrations)));
    for (const catalog of opened) {
      await catalog.requireKnown();
      await catalog.close();
    }
  });

  test('ends what a server asks in a transaction or outside of one', async () => {
    const catalog = await PostgresCatalog.open(place);
    const busy = expect.objectContaining({ code: 'catalog-unreachable' });
    const slow = (statements: Statements) => sql.raw(SLOW).execute(statements);
    await expect(slow(catalog.read)).rejects.toEqual(busy);
    await expect(catalog.write(slow)).rejects.toEqual(busy);
    await catalog.writeAtLength(slow);
    await catalog.close();
  });

  test('does not end a copy of a catalog, in or out', async () => {
    const catalog = await PostgresCatalog.open(place);
    await new Tokens(catalog, new ChangeLog(catalog)).create({ role: 'admin', name: 'operator' });
    await rowsOf(
      place,
      `ALTER TABLE tokens RENAME TO tokens_there;
       CREATE VIEW tokens AS SELECT tokens_there.* FROM tokens_there, LATERAL (${SLOW}) AS slow`,
    );
    mkdirSync(join(root, 'copies'));
    await catalog.copyTo(join(root, 'copies', 'copy.db'));
    await catalog.close();
    const copy = new SqliteCatalog(join(root, 'copies', 'copy.db'));
    const target = await PostgresCatalog.open({ ...(await placeFor('target')), timeoutMs: 4000 });
    await rowsOf(
      await placeFor('target'),
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(5); RETURN NEW; END $$;
       CREATE TRIGGER slow BEFORE INSERT ON tokens FOR EACH ROW EXECUTE FUNCTION slow()`,
    );
    const moment = await takeMoment(copy, join(root, 'copies', 'moment.db'));
    await putMoment(moment, target);
    await moment.catalog.close();
    expect(await target.read.selectFrom('tokens').select('name').execute()).toEqual([
      { name: 'operator' },
    ]);
    await target.close();
    await copy.close();
  });
});
