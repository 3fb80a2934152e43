import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import { parseJsonText } from '../../proto/json-text.js';
import { validator } from '../../proto/validator.js';
import type { Draws } from './draws.js';
import { EntityForm, type WordLists } from './entity-form.js';
import { PseudoWords } from './pseudo-words.js';

/** Public entities by type: what stands in a bundle as `inventory.json`. */
export interface InventoryFile {
  readonly format: 1 | 2;
  /** Where the entities come from, for people. */
  readonly sources: readonly InventorySource[];
  /** What weights are made of; of format 2. */
  readonly weighting?: Weighting;
  /** Words that nobody has, among those of some lists; of format 2. */
  readonly pseudoWords?: PseudoWordShare;
  /**
   * By PHI type of a label scheme: forms, each with a number that says how likely it is beside the others. In
   * format 1 it is how often the form was met, and its root is the weight.
   */
  readonly types: Readonly<Record<string, readonly (readonly [form: string, weight: number])[]>>;
  readonly lists: WordLists;
}

export interface Weighting {
  /** A form that was met n times weighs n to the power of this: 1 as it was met, 0 all alike. */
  readonly exponent: number;
  /** Share of the draws of a type that locales and common forms have, where a corpus or a file gave some too. */
  readonly commonShare: number;
}

export interface PseudoWordShare {
  /** Of the words of these lists. */
  readonly share: number;
  readonly lists: readonly string[];
}

export interface InventorySource {
  readonly name: string;
  readonly kind: 'corpus' | 'locale' | 'file' | 'forms';
  /** SHA-256 of the corpus or file, in hex. */
  readonly digest?: string;
}

export const MAX_INVENTORY_BYTES = 64 * 1024 * 1024;

const TEXT = { type: 'string', minLength: 1, maxLength: 1000 } as const;
const SHARE = { type: 'number', minimum: 0, maximum: 1 } as const;

const parse = validator<InventoryFile>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['format', 'sources', 'types', 'lists'],
    properties: {
      format: { enum: [1, 2] },
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
      weighting: {
        type: 'object',
        additionalProperties: false,
        required: ['exponent', 'commonShare'],
        properties: { exponent: SHARE, commonShare: SHARE },
      },
      pseudoWords: {
        type: 'object',
        additionalProperties: false,
        required: ['share', 'lists'],
        properties: { share: SHARE, lists: { type: 'array', items: TEXT } },
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

/** Draws entities of a type that depend on nothing but chance. */
export class Inventory {
  readonly #types: ReadonlyMap<string, TypeForms>;
  /** By list, of those that have some. */
  readonly #pseudoWords: ReadonlyMap<string, PseudoWords>;
  /** SHA-256 of its canonical JSON, in hex. */
  readonly digest: string;

  /** Throws `inventory-invalid`. */
  constructor(readonly file: InventoryFile) {
    const { format, types, lists, pseudoWords } = parse(file);
    this.digest = createHash('sha256').update(inventoryBytes(file)).digest('hex');
    const weigh = format === 1 ? Math.sqrt : (weight: number) => weight;
    this.#types = new Map(
      Object.entries(types).map(([type, weighted]) => {
        let sum = 0;
        const sums = Float64Array.from(weighted, ([, weight]) => (sum += weigh(weight)));
        return [type, { forms: weighted.map(([form]) => new EntityForm(form, lists)), sums }];
      }),
    );
    const withPseudoWords = pseudoWords?.lists.filter((list) => Object.hasOwn(lists, list)) ?? [];
    this.#pseudoWords = new Map(
      withPseudoWords.map((list) => [list, new PseudoWords(lists[list] ?? [])]),
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
    const at = chance(draws) * (sums.at(-1) as number);
    let low = 0;
    let high = forms.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > at) high = middle;
      else low = middle + 1;
    }
    return (forms[low] as EntityForm).fill(draws, this.#drawWord);
  }

  readonly #drawWord = (list: string, draws: Draws): string => {
    const words = this.file.lists[list] as readonly string[];
    const word = words[draws.integer(words.length)] as string;
    const pseudoWords = this.#pseudoWords.get(list);
    if (!pseudoWords || chance(draws) >= (this.file.pseudoWords?.share ?? 0)) return word;
    return pseudoWords.draw(draws) || word;
  };

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

/** In [0, 1). */
function chance(draws: Draws): number {
  return draws.integer(DRAW_RANGE) / DRAW_RANGE;
}

/** The same bytes for the same inventory. */
export function inventoryBytes(file: InventoryFile): Uint8Array {
  const { format, sources, weighting, pseudoWords, types, lists } = file;
  const sorted = <T>(record: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
  const drawn = { ...(weighting && { weighting }), ...(pseudoWords && { pseudoWords }) };
  const canonical = { format, sources, ...drawn, types: sorted(types), lists: sorted(lists) };
  return Buffer.from(`${JSON.stringify(canonical)}\n`);
}
