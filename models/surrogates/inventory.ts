import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import { parseJsonText } from '../../proto/json-text.js';
import { validator } from '../../proto/validator.js';
import type { Draws } from './draws.js';
import { EntityForm, type WordLists } from './entity-form.js';

/** Public entities by type: what stands in a bundle as `inventory.json`. */
export interface InventoryFile {
  readonly format: 1;
  /** Where the entities come from, for people. */
  readonly sources: readonly InventorySource[];
  /** By PHI type of a label scheme: forms with how often each was met. */
  readonly types: Readonly<Record<string, readonly (readonly [form: string, count: number])[]>>;
  readonly lists: WordLists;
}

export interface InventorySource {
  readonly name: string;
  readonly kind: 'corpus' | 'locale' | 'file' | 'forms';
  /** SHA-256 of the corpus or file, in hex. */
  readonly digest?: string;
}

export const MAX_INVENTORY_BYTES = 64 * 1024 * 1024;

const TEXT = { type: 'string', minLength: 1, maxLength: 1000 } as const;

const parse = validator<InventoryFile>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['format', 'sources', 'types', 'lists'],
    properties: {
      format: { const: 1 },
      sources: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'kind'],
          properties: {
            name: TEXT,
            kind: { type: 'string', enum: ['corpus', 'locale', 'file', 'forms'] },
            digest: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          },
        },
      },
      types: {
        type: 'object',
        additionalProperties: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'array',
            minItems: 2,
            maxItems: 2,
            items: [TEXT, { type: 'integer', minimum: 1, maximum: 2 ** 31 }],
          },
        },
      },
      lists: {
        type: 'object',
        additionalProperties: { type: 'array', minItems: 1, items: TEXT },
      },
    },
  },
  'inventory-invalid',
  'the inventory',
);

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
