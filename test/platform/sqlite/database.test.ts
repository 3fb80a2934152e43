import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sqlitePackage } from '../../../platform/sqlite/database.js';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tacet-sqlite-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

test.each([
  ['20.19.0', 'better-sqlite3-node-20'],
  ['22.13.0', 'better-sqlite3'],
  ['24.21.0', 'better-sqlite3'],
])('Node %s loads %s', (version, expected) => {
  expect(sqlitePackage(version)).toBe(expected);
});

describe('a database', () => {
  test('keeps what was committed to it', () => {
    const file = join(directory, 'kept.db');
    const written = openDatabase(file);
    written.pragma('journal_mode = WAL');
    written.exec('CREATE TABLE words (word BLOB) STRICT');
    written
      .transaction(() => written.prepare('INSERT INTO words VALUES (?)').run(Buffer.from([1, 2])))
      .immediate();
    written.close();

    const read = openDatabase(file);
    expect(read.prepare('SELECT word FROM words').pluck().all()).toEqual([Buffer.from([1, 2])]);
    expect(read.pragma('journal_mode', { simple: true })).toBe('wal');
    read.close();
  });

  test('names what SQLite refused by its code', () => {
    const file = join(directory, 'busy.db');
    const holder = openDatabase(file);
    holder.exec('BEGIN IMMEDIATE');
    const other = openDatabase(file, { timeout: 0 });
    expect(() => other.exec('BEGIN IMMEDIATE')).toThrow(
      expect.objectContaining({ name: 'SqliteError', code: 'SQLITE_BUSY' }),
    );
    other.close();
    holder.close();
  });
});
