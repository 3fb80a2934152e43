import type { Database } from '../../platform/sqlite/database.js';

const NAME = 'pieces';

/**
 * Gives a connection `pieces(bytes, length)`: a row, with one column, `value`, for each so many bytes of a blob. From a
 * text they would be made by a function of SQLite, and of a statement that calls one and writes SQLite keeps the pages
 * as they were, in case it fails half way.
 */
export function addPieces(database: Database): void {
  database.table(NAME, {
    columns: ['value'],
    parameters: ['bytes', 'length'],
    *rows(bytes, length) {
      if (!Buffer.isBuffer(bytes)) throw new TypeError(`${NAME} takes a blob`);
      const size = Number(length);
      for (let from = 0; from < bytes.length; from += size)
        yield [bytes.subarray(from, from + size)];
    },
  });
}
