import type { Catalog } from '../../pool-store/catalog/catalog.js';
import type { RawBuilder } from '../../pool-store/catalog/kysely.js';

/** Changes rows of a catalog past everything that guards them. */
export async function changeRows(catalog: Catalog, statement: RawBuilder<unknown>): Promise<void> {
  await catalog.write((transaction) => statement.execute(transaction));
}
