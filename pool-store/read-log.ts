import { join } from 'node:path';
import { SqliteCatalog } from './catalog/sqlite-catalog.js';
import { ChangeLog } from './log/change-log.js';
import type { LogEntry } from './log/log-chain.js';
import { CATALOG_FILE } from './store.js';

/** The log of a store whose catalog can still be read, whatever has become of its blobs. */
export async function readLog(directory: string): Promise<LogEntry[]> {
  const catalog = new SqliteCatalog(join(directory, CATALOG_FILE));
  try {
    const entries: LogEntry[] = [];
    for await (const entry of new ChangeLog(catalog).all()) entries.push(entry);
    return entries;
  } finally {
    await catalog.close();
  }
}
