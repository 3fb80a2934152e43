import { expect, test } from '@jest/globals';
import { openDatabase } from '../../../platform/sqlite/database.js';
import { addPieces } from '../../../pool-store/catalog/sqlite-pieces.js';

function database() {
  const opened = openDatabase(':memory:');
  addPieces(opened);
  return opened;
}

test('a blob is read as rows of so many bytes each, in order', () => {
  const bytes = Buffer.from('00112233445566', 'hex');
  const rows = database().prepare('SELECT hex(value) FROM pieces(?, 3)').pluck().all(bytes);
  expect(rows).toEqual(['001122', '334455', '66']);
  expect(database().prepare('SELECT value FROM pieces(?, 3)').all(Buffer.alloc(0))).toEqual([]);
});

test('a text is no blob', () => {
  const read = database().prepare('SELECT value FROM pieces(?, 3)');
  expect(() => read.all('00112233')).toThrow('pieces takes a blob');
});
