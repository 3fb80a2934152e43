import { Inventory } from './inventory.js';

/**
 * The inventory with `type` beside its own types, which draws the entities of all of them, each as likely as
 * its weight says: for labels that say no type. Where it has the type it stays as it is.
 */
export function withJoinedTypes(inventory: Inventory, type: string): Inventory {
  const { file } = inventory;
  if (Object.hasOwn(file.types, type)) return inventory;
  const weights = new Map<string, number>();
  for (const [form, weight] of Object.values(file.types).flat())
    weights.set(form, (weights.get(form) ?? 0) + weight);
  return new Inventory({ ...file, types: { ...file.types, [type]: [...weights] } });
}
