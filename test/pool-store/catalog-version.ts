import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../platform/sqlite/database.js';
import { CATALOG_FILE } from '../../pool-store/store.js';
import { catalogFor } from './opened-store.js';

/** Makes a store's catalog one of so many versions later, as another program would, and of earlier ones where negative. */
export async function raiseVersion(directory: string, versions: number): Promise<void> {
  const place = await catalogFor(directory);
  if (place) await raiseInPostgres(place.url, versions);
  else raiseInSqlite(join(directory, CATALOG_FILE), versions);
}

async function raiseInPostgres(connectionString: string, versions: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('UPDATE catalog_version SET version = version + $1', [versions]);
  await client.end();
}

function raiseInSqlite(path: string, versions: number): void {
  const database = openDatabase(path);
  const version = Number(database.pragma('user_version', { simple: true }));
  database.pragma(`user_version = ${version + versions}`);
  database.close();
}
