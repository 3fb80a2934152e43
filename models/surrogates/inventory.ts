import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import { parseJsonText } from '../../proto/json-text.js';
import { DIGEST, SHARE } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, mapOf, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Draws } from './draws.js';
import { EntityForm } from './entity-form.js';
import { PseudoWords } from './pseudo-words.js';

export const MAX_INVENTORY_BYTES = 64 * 1024 * 1024;

const TEXT = Type.String({ minLength: 1, maxLength: 1000 });
const SOURCE = closedObject({
  name: TEXT,
  kind: oneOf(['corpus', 'locale', 'file', 'forms']),
  /** SHA-256 of the corpus or file, in hex; of forms, where an institution stated them. */
  digest: Type.Optional(DIGEST),
});
const WEIGHTING = closedObject({
  /** A form that was met n times weighs n to the power of this: 1 as it was met, 0 all alike. */
  exponent: SHARE,
  /** Share of the draws of a type that locales and common forms have, where a corpus or a file gave some too. */
  commonShare: SHARE,
  /** Share of the draws of a type that an institution's own forms have, where it states some. */
  ownShare: Type.Optional(SHARE),
});
const PSEUDO_WORDS = closedObject({
  /** Of the words of these lists. */
  share: SHARE,
  lists: Type.Array(TEXT),
});
const WEIGHED_FORM = Type.Unsafe<[form: string, weight: number]>({
  type: 'array',
  minItems: 2,
  maxItems: 2,
  items: [TEXT, Type.Integer({ minimum: 1, maximum: 2 ** 31 })],
});
const INVENTORY_FILE = closedObject({
  format: Type.Enum([1, 2]),
  /** Where the entities come from, for people. */
  sources: Type.Array(SOURCE, { minItems: 1 }),
  /** What weights are made of; of format 2. */
  weighting: Type.Optional(WEIGHTING),
  /** Words that nobody has, among those of some lists; of format 2. */
  pseudoWords: Type.Optional(PSEUDO_WORDS),
  /**
   * By PHI type of a label scheme: forms, each with a number that says how likely it is beside the others. In
   * format 1 it is how often the form was met, and its root is the weight.
   */
  types: mapOf(Type.Array(WEIGHED_FORM, { minItems: 1 })),
  lists: mapOf(Type.Array(TEXT, { minItems: 1 })),
});

export type InventorySource = TypeOf<typeof SOURCE>;
export type Weighting = TypeOf<typeof WEIGHTING>;

/** Public entities by type: what stands in a bundle as `inventory.json`. */
export type InventoryFile = TypeOf<typeof INVENTORY_FILE>;

const parse = validator(INVENTORY_FILE, 'inventory-invalid', 'the inventory');

interface TypeForms {
  readonly written: readonly string[];
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
        const written = weighted.map(([form]) => form);
        return [type, { written, forms: written.map((form) => new EntityForm(form, lists)), sums }];
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

  /** How likely each form of a type is; they add up to 1. Throws `inventory-missing`. */
  sharesOf(type: string): Map<string, number> {
    const { written, sums } = this.#formsOf(type);
    const all = sums.at(-1) as number;
    return new Map(
      written.map((form, i) => [form, ((sums[i] as number) - (sums[i - 1] ?? 0)) / all]),
    );
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
