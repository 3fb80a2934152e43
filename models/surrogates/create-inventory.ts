import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import type { Document } from '../text/document.js';
import { documentsDigest } from '../text/documents-digest.js';
import { type LabelScheme, mapType, requireKnownTypes } from '../text/label-scheme.js';
import { type CommonForms, commonForms } from './common-forms.js';
import type { WordLists } from './entity-form.js';
import type { InventoryFile, InventorySource } from './inventory.js';
import { learnForm } from './learn-form.js';
import { type LocaleEntities, localeEntities, localesOf } from './locale-entities.js';
import { type SurrogateKind, surrogateKind } from './surrogate-kind.js';

/** Public sources of entities; whatever is in them may stand in any release. */
export interface InventorySources {
  readonly corpora?: readonly { readonly name: string; readonly documents: readonly Document[] }[];
  /**
   * BCP 47: how such entities are commonly written there, faker's names and places of all its countries, and
   * what was learnt in other casing, since a house may write everything in lower case.
   */
  readonly languages?: readonly string[] | undefined;
  /** Names of faker's, such as `es` or `de_AT`. */
  readonly locales?: readonly string[] | undefined;
  /** One entity a line. */
  readonly lists?: readonly {
    readonly name: string;
    readonly type: string;
    readonly text: string;
  }[];
}

/** As if each had been met so often: beside the forms of a corpus, not in their place. */
const COMMON_COUNT = 4;
/** One in so many. */
const CASED_OF = 6;
const WRITTEN_OUT: ReadonlySet<SurrogateKind> = new Set([
  ...(['place', 'country', 'street', 'organisation', 'profession', 'unknown'] as const),
]);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * An inventory for a label scheme. Throws `label-unknown` for a type that the scheme does not have and
 * `inventory-invalid` where nothing was learnt.
 */
export async function createInventory(
  scheme: LabelScheme,
  { corpora = [], languages = [], locales = [], lists = [] }: InventorySources,
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
  const named = await Promise.all(languages.map(localesOf));
  for (const locale of new Set([...named.flat(), ...locales])) {
    sources.push({ name: locale, kind: 'locale' });
    learner.addLocale(await localeEntities(locale), scheme.types);
  }
  for (const language of languages) {
    sources.push({ name: `common forms, ${language}`, kind: 'forms' });
    for (const common of commonForms(language)) learner.addCommon(common, scheme.types);
  }
  if (languages.length > 0) learner.varyCasing();
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
    this.#addLists(lists);
    for (const type of types)
      for (const kind of kindsOf(type))
        for (const form of forms[kind] ?? []) this.#count(type, form);
  }

  addCommon({ lists, forms }: CommonForms, types: readonly string[]): void {
    this.#addLists(lists);
    for (const type of types)
      for (const kind of kindsOf(type))
        for (const form of forms[kind] ?? []) this.#count(type, form, COMMON_COUNT);
  }

  /** Of what is written in words of its own, a few in lower and in upper case. */
  varyCasing(): void {
    for (const [type, forms] of this.#types) {
      if (!kindsOf(type).some((kind) => WRITTEN_OUT.has(kind))) continue;
      for (const [form, count] of [...forms])
        for (const other of [form.toLowerCase(), form.toUpperCase()])
          if (!forms.has(other)) this.#count(type, other, Math.ceil(count / CASED_OF));
    }
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

  #addLists(lists: WordLists): void {
    for (const [list, words] of Object.entries(lists))
      for (const word of words) this.#list(list).add(word);
  }

  #list(name: string): Set<string> {
    const list = this.#lists.get(name) ?? new Set();
    this.#lists.set(name, list);
    return list;
  }

  #count(type: string, form: string, times = 1): void {
    const forms = this.#types.get(type) ?? new Map<string, number>();
    this.#types.set(type, forms.set(form, (forms.get(form) ?? 0) + times));
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
