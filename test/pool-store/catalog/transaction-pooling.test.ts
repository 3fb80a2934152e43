import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { Store } from '../../../pool-store/store.js';
import { SERVER } from '../opened-store.js';
import { HAS_PGBOUNCER, PgBouncer } from '../pgbouncer.js';
import { Giver } from '../pooled-store.js';

const describeBehindPgBouncer = SERVER !== undefined && HAS_PGBOUNCER ? describe : describe.skip;

describeBehindPgBouncer('a catalog whose connections are given out by transactions', () => {
  const server = SERVER ?? '';
  const database = `pooled_${randomUUID().replaceAll('-', '')}`;
  let root: string;
  let bouncer: PgBouncer;
  let stores: Store[];

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'tacet-pooled-'));
    await asked(server, `CREATE DATABASE ${database}`);
    bouncer = await PgBouncer.before(server);
    const catalog = { url: bouncer.addressOf(database) };
    stores = [];
    for (const name of ['one', 'two']) stores.push(await Store.open(join(root, name), { catalog }));
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await bouncer.stop();
    await asked(server, `DROP DATABASE ${database} WITH (FORCE)`);
    rmSync(root, { recursive: true, force: true });
  });

  test('takes what many write at once into one chain, and is read and copied meanwhile', async () => {
    const north = await Giver.of(stores[0]);
    await north.give(1);
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      const { catalog, log } = stores[writer % 2];
      for (let change = 0; change < 10; change++) {
        await catalog.write((transaction) => log.append(transaction, 'tried', `${writer}`));
        await log.head();
      }
    });
    await Promise.all([...writers, stores[1].catalog.copyTo(join(root, 'copy.db'))]);
    expect(await stores[1].log.firstBroken()).toBeUndefined();
    const tried = (await stores[0].log.entries()).filter(({ action }) => action === 'tried');
    expect(tried).toHaveLength(120);
  });

  test('leaves no setting on a connection that others get', async () => {
    await Promise.all(stores.map(({ log }) => log.head()));
    await (await Giver.of(stores[0])).give(1);
    await stores[1].catalog.writeAtLength(async () => undefined);
    const address = bouncer.addressOf(database);
    const clients = await Promise.all([1, 2, 3].map(() => opened(address)));
    const found = await Promise.all(clients.map((client) => client.query(SETTINGS)));
    await Promise.all(clients.map((client) => client.query('SELECT pg_sleep(0.1)')));
    for (const client of clients) await client.query('UPDATE tokens SET name = name');
    for (const client of clients) await client.end();
    expect(found.map(({ rows }) => rows)).toEqual(
      clients.map(() => [{ statement: '0', idle: '0', lock: '0', reads: 'off' }]),
    );
  });

  test('limits transactions all the same', async () => {
    const shown = await stores[0].catalog.write(async (transaction) => {
      const { rows } = await sql.raw(SETTINGS).execute(transaction);
      return rows;
    });
    expect(shown).toEqual([{ statement: '30s', idle: '30s', lock: '0', reads: 'off' }]);
  });
});

const SETTINGS = `
  SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle,
    current_setting('lock_timeout') AS lock,
    current_setting('default_transaction_read_only') AS reads`;

async function opened(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function asked(server: string, text: string): Promise<void> {
  const client = await opened(server);
  await client.query(text);
  await client.end();
}
