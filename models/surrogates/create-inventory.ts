import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import type { Document } from '../text/document.js';
import { documentsDigest } from '../text/documents-digest.js';
import { type LabelScheme, mapType, requireKnownTypes } from '../text/label-scheme.js';
import type { InventoryFile, InventorySource } from './inventory.js';
import { learnForm } from './learn-form.js';
import { type LocaleEntities, localeEntities } from './locale-entities.js';
import { type SurrogateKind, surrogateKind } from './surrogate-kind.js';

/** Public sources of entities; whatever is in them may stand in any release. */
export interface InventorySources {
  readonly corpora?: readonly { readonly name: string; readonly documents: readonly Document[] }[];
  /** Names of faker's, such as `es` or `de_AT`. */
  readonly locales?: readonly string[] | undefined;
  /** One entity a line. */
  readonly lists?: readonly {
    readonly name: string;
    readonly type: string;
    readonly text: string;
  }[];
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * An inventory for a label scheme. Throws `label-unknown` for a type that the scheme does not have and
 * `inventory-invalid` where nothing was learnt.
 */
export async function createInventory(
  scheme: LabelScheme,
  { corpora = [], locales = [], lists = [] }: InventorySources,
): Promise<InventoryFile> {
  const learner = new Learner();
  const sources: InventorySource[] = [];
  for (const { name, documents } of corpora) {
    sources.push({ name, kind: 'corpus', digest: documentsDigest(documents) });
    for (const { text, spans } of documents) {
      requireKnownTypes(spans, scheme);
      for (const { type, start, end } of spans) {
        const mapped = mapType(type, scheme);
        if (mapped !== null) learner.learn(mapped, text.slice(start, end));
      }
    }
  }
  for (const { name, type, text } of lists) {
    requireKnownTypes([{ type }], scheme);
    sources.push({ name, kind: 'file', digest: createHash('sha256').update(text).digest('hex') });
    for (const line of text.split(/\r?\n/)) learner.learn(mapType(type, scheme) ?? type, line);
  }
  for (const locale of locales) {
    sources.push({ name: locale, kind: 'locale' });
    learner.addLocale(await localeEntities(locale), scheme.types);
  }
  return learner.inventory(sources);
}

class Learner {
  readonly #types = new Map<string, Map<string, number>>();
  readonly #lists = new Map<string, Set<string>>();

  learn(type: string, entity: string): void {
    const learnt = learnForm(entity, type);
    if (!learnt) return;
    for (const [list, word] of learnt.words) this.#list(list).add(word);
    this.#count(type, learnt.form);
  }

  /** Its words join the lists; its forms stand for the types of their kind. */
  addLocale({ lists, forms }: LocaleEntities, types: readonly string[]): void {
    for (const [list, words] of Object.entries(lists))
      for (const word of words) this.#list(list).add(word);
    for (const type of types)
      for (const kind of kindsOf(type))
        for (const form of forms[kind] ?? []) this.#count(type, form);
  }

  inventory(sources: readonly InventorySource[]): InventoryFile {
    if (this.#types.size === 0)
      throw new TacetError(
        'inventory-invalid',
        'no entity was found: give a corpus with labels, a locale, or a list of entities',
      );
    if (this.#lists.has('initial')) this.#lists.set('initial', new Set(LETTERS));
    return {
      format: 1,
      sources,
      types: Object.fromEntries(
        [...this.#types].map(([type, forms]) => [type, [...forms].sort(byForm)]),
      ),
      lists: Object.fromEntries([...this.#lists].map(([list, words]) => [list, [...words].sort()])),
    };
  }

  #list(name: string): Set<string> {
    const list = this.#lists.get(name) ?? new Set();
    this.#lists.set(name, list);
    return list;
  }

  #count(type: string, form: string): void {
    const forms = this.#types.get(type) ?? new Map<string, number>();
    this.#types.set(type, forms.set(form, (forms.get(form) ?? 0) + 1));
  }
}

/** A type that stands for all PHI takes entities of every kind. */
function kindsOf(type: string): readonly SurrogateKind[] {
  if (type === 'PHI') return ['name', 'place', 'country', 'street', 'date', 'phone', 'age'];
  return [surrogateKind(type, '')];
}

function byForm([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}
