import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import pg from 'pg';
import type { CatalogPlace } from '../../pool-store/catalog/open-catalog.js';
import { CATALOG_FILE, Store, type StoreOptions } from '../../pool-store/store.js';

/** A server of PostgreSQL on which the tests of stores are run; without it they are run on SQLite. */
export const SERVER = process.env.TACET_TEST_CATALOG;

/** What files of SQLite alone can suffer. */
export const testOnSqlite = SERVER === undefined ? test : test.skip;
/** What the connection to a server alone can suffer. */
export const describeOnPostgres = SERVER === undefined ? describe.skip : describe;
export const describeOnSqlite = SERVER === undefined ? describe : describe.skip;

/** Opens a store on the catalog that the tests are run on. */
export async function openStore(directory: string, options: StoreOptions = {}): Promise<Store> {
  return Store.open(directory, { ...options, catalog: await catalogFor(directory) });
}

/** A schema for each directory; backups and what is restored from them have files of SQLite. */
export async function catalogFor(directory: string): Promise<CatalogPlace | undefined> {
  if (SERVER === undefined || existsSync(join(directory, CATALOG_FILE))) return undefined;
  const schema = `t${createHash('sha256').update(directory).digest('hex').slice(0, 24)}`;
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  } finally {
    await client.end();
  }
  return { url: `${SERVER}?options=-c%20search_path%3D${schema}`, connections: 4 };
}
