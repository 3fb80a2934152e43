import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { TacetError } from '../../proto/errors.js';
import { parseJsonText } from '../../proto/json-text.js';
import { DIGEST } from '../../proto/schemas.js';
import { closedObject, constant, mapOf, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Draws } from './draws.js';
import { EntityForm } from './entity-form.js';

export const MAX_INVENTORY_BYTES = 64 * 1024 * 1024;

const TEXT = Type.String({ minLength: 1, maxLength: 1000 });
const SOURCE = closedObject({
  name: TEXT,
  kind: oneOf(['corpus', 'locale', 'file', 'forms']),
  /** SHA-256 of the corpus or file, in hex. */
  digest: Type.Optional(DIGEST),
});
const COUNTED_FORM = Type.Unsafe<[form: string, count: number]>({
  type: 'array',
  minItems: 2,
  maxItems: 2,
  items: [TEXT, Type.Integer({ minimum: 1, maximum: 2 ** 31 })],
});
const INVENTORY_FILE = closedObject({
  format: constant(1),
  /** Where the entities come from, for people. */
  sources: Type.Array(SOURCE, { minItems: 1 }),
  /** By PHI type of a label scheme: forms with how often each was met. */
  types: mapOf(Type.Array(COUNTED_FORM, { minItems: 1 })),
  lists: mapOf(Type.Array(TEXT, { minItems: 1 })),
});

export type InventorySource = TypeOf<typeof SOURCE>;

/** Public entities by type: what stands in a bundle as `inventory.json`. */
export type InventoryFile = TypeOf<typeof INVENTORY_FILE>;

const parse = validator(INVENTORY_FILE, 'inventory-invalid', 'the inventory');

interface TypeForms {
  readonly forms: readonly EntityForm[];
  /** Running sums of the weights. */
  readonly sums: Float64Array;
}

/** Draws are of whole numbers below 2^32, so that no seed or platform rounds them differently. */
const DRAW_RANGE = 2 ** 32;

/**
 * Draws entities of a type that depend on nothing but chance. A form is drawn with the root of its
 * count as its weight, so that the rare ones are met more often than they were.
 */
export class Inventory {
  readonly #types: ReadonlyMap<string, TypeForms>;
  /** SHA-256 of its canonical JSON, in hex. */
  readonly digest: string;

  /** Throws `inventory-invalid`. */
  constructor(readonly file: InventoryFile) {
    parse(file);
    this.digest = createHash('sha256').update(inventoryBytes(file)).digest('hex');
    this.#types = new Map(
      Object.entries(file.types).map(([type, counted]) => {
        let sum = 0;
        const sums = Float64Array.from(counted, ([, count]) => (sum += Math.sqrt(count)));
        return [type, { forms: counted.map(([form]) => new EntityForm(form, file.lists)), sums }];
      }),
    );
  }

  /** Throws `inventory-invalid` for bytes that are no inventory. */
  static read(bytes: Uint8Array): Inventory {
    let value: unknown;
    try {
      value = parseJsonText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch (cause) {
      throw new TacetError('inventory-invalid', 'the inventory is not JSON in UTF-8', { cause });
    }
    return new Inventory(parse(value));
  }

  get types(): readonly string[] {
    return [...this.#types.keys()];
  }

  /** Throws `inventory-missing` where a type has no entities. */
  draw(type: string, draws: Draws): string {
    const { forms, sums } = this.#formsOf(type);
    const at = (draws.integer(DRAW_RANGE) / DRAW_RANGE) * (sums.at(-1) as number);
    let low = 0;
    let high = forms.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return (forms[low] as EntityForm).fill(draws, this.file.lists);
  }

  #formsOf(type: string): TypeForms {
    const found = this.#types.get(type);
    if (found) return found;
    throw new TacetError(
      'inventory-missing',
      `the inventory has no entities of type ${type}, so none can stand for those of the notes; add ` +
        `some with \`tacet inventory create --list ${type}=FILE\``,
    );
  }
}

/** The same bytes for the same inventory. */
export function inventoryBytes({ format, sources, types, lists }: InventoryFile): Uint8Array {
  const sorted = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
  const canonical = { format, sources, types: sorted(types), lists: sorted(lists) };
  return Buffer.from(`${JSON.stringify(canonical)}\n`);
}
