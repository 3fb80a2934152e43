import type { Inventory } from '../../../../models/surrogates/inventory.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { TacetError } from '../../../../proto/errors.js';

/**
 * Refuses to replace entities by nothing (`inventory-missing`), or by another inventory than the one whose
 * digest is `pinned` (`policy-otherwise`).
 */
export function requireInventory(
  inventory: Inventory | undefined,
  { name }: Pick<LabelScheme, 'name'>,
  pinned?: string,
): Inventory {
  if (!inventory)
    throw new TacetError(
      'inventory-missing',
      `the model has no inventory for the label scheme ${name}, so nothing can stand for the entities of ` +
        'the notes; give one with --inventory (`tacet inventory create` makes it of public entities), or ' +
        'encode with --entities keep, which lets what is labelled be attacked',
    );
  if (pinned === undefined || inventory.digest === pinned) return inventory;
  throw new TacetError(
    'policy-otherwise',
    `the inventory is ${inventory.digest}, the policy names ${pinned}`,
  );
}
