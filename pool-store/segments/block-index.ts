import type { Catalog } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import { rowsOf } from '../catalog/sql-dialect.js';
import { type BlockPlaces, placesOfRow } from './block-places.js';

/** Segments that are asked for in one statement. */
const PAGE = 1000;

/** Where the blocks of segments lie, as their examination noted it: no segment has to be opened for that. */
export class BlockIndex {
  constructor(private readonly catalog: Catalog) {}

  /** By digest; without those from before places were noted. */
  async of(segments: readonly string[]): Promise<ReadonlyMap<string, BlockPlaces>> {
    const found = new Map<string, BlockPlaces>();
    const { read } = this.catalog;
    for (let start = 0; start < segments.length; start += PAGE) {
      const asked = rowsOf(read, segments.slice(start, start + PAGE));
      const { rows } = await sql<{ digest: string; blocks: string }>`
        SELECT digest, blocks FROM ${asked} AS asked
        JOIN segments ON digest = asked.value`.execute(read);
      for (const { digest, blocks } of rows) {
        const places = placesOfRow(JSON.parse(blocks));
        if (places) found.set(digest, places);
      }
    }
    return found;
  }
}
