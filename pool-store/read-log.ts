import { join } from 'node:path';
import { SqliteCatalog } from './catalog/sqlite-catalog.js';
import { logOlder } from './catalog-check.js';
import { ChangeLog } from './log/change-log.js';
import { KeptHead } from './log/kept-head.js';
import type { LogEntry } from './log/log-chain.js';
import { CATALOG_FILE, HEAD_FILE } from './store.js';

/**
 * The log of a store whose catalog can still be read, whatever has become of its blobs. Throws `store-damaged` where its
 * `catalog.db` lacks what was committed there.
 */
export async function readLog(directory: string): Promise<LogEntry[]> {
  const catalog = new SqliteCatalog(join(directory, CATALOG_FILE));
  try {
    const log = new ChangeLog(catalog);
    const kept = new KeptHead(join(directory, HEAD_FILE)).read();
    if (kept && !(await log.holds(kept))) throw logOlder(directory, await log.head(), kept);
    const entries: LogEntry[] = [];
    for await (const entry of log.all()) entries.push(entry);
    return entries;
  } finally {
    await catalog.close();
  }
}
