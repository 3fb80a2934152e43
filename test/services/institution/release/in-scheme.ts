import { createInventory } from '../../../../models/surrogates/create-inventory.js';
import { Inventory } from '../../../../models/surrogates/inventory.js';
import { createLabelScheme } from '../../../../models/text/label-scheme.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';

/** The same model with other types of PHI, each of them replaced by one word. */
export async function inScheme(
  model: EncodingModel,
  types: readonly string[],
  map: Readonly<Record<string, string | null>> = {},
): Promise<EncodingModel> {
  const scheme = createLabelScheme({ name: types.join(), version: '1', types, map });
  const lists = types.map((type) => ({ name: type, type, text: 'beta' }));
  return { ...model, scheme, inventory: new Inventory(await createInventory(scheme, { lists })) };
}
