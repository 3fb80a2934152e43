import { join } from 'node:path';
import { ChangeLog } from './change-log.js';
import type { LogEntry } from './log-chain.js';
import { SqliteCatalog } from './sqlite-catalog.js';
import { CATALOG_FILE } from './store.js';

/** The log of a store whose catalog can still be read, whatever has become of its blobs. */
export function readLog(directory: string): LogEntry[] {
  const catalog = new SqliteCatalog(join(directory, CATALOG_FILE));
  try {
    return [...new ChangeLog(catalog).all()];
  } finally {
    catalog.close();
  }
}
