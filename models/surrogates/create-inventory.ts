import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import type { Document } from '../text/document.js';
import { documentsDigest } from '../text/documents-digest.js';
import {
  type LabelScheme,
  mapType,
  requireKnownSpans,
  requireKnownTypes,
} from '../text/label-scheme.js';
import { type CommonForms, commonForms, hasFormsOf } from './common-forms.js';
import { inCase, listsOf, type WordLists } from './entity-form.js';
import { fitForms } from './fit-forms.js';
import type { Inventory, InventoryFile, InventorySource, Weighting } from './inventory.js';
import { learnForm } from './learn-form.js';
import { localeEntities, localesOf } from './locale-entities.js';
import { type OwnForms, ownFormsFor } from './own-forms.js';
import { type SurrogateKind, surrogateKinds } from './surrogate-kind.js';

/** Public sources of entities; whatever is in them may stand in any release. */
export interface InventorySources {
  /**
   * An inventory to begin with. Of the types that it has it stands in the place of common forms; languages and locales
   * then bring words alone.
   */
  readonly base?: { readonly name: string; readonly inventory: Inventory } | undefined;
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
  /** How institutions write and label, stated by hand. */
  readonly ownForms?: readonly OwnForms[] | undefined;
}

/** How draws are weighted; all of it is stated in the file. */
export interface InventoryOptions {
  readonly exponent?: number | undefined;
  readonly commonShare?: number | undefined;
  readonly ownShare?: number | undefined;
  /** Of the words that are drawn from lists of names, the share that nobody has; none by default. */
  readonly pseudoWords?: number | undefined;
  /** Whether words met in corpora join the lists that other sources have words for; they do by default. */
  readonly corpusWords?: boolean | undefined;
}

const EXPONENT = 0.5;
const COMMON_SHARE = 0.75;
const OWN_SHARE = 0.75;
/** Lists whose words are names, and could be any. */
const NAME_LISTS = ['city', 'family', 'given'] as const;
/** One in so many. */
const CASED_OF = 10;
const WRITTEN_OUT: ReadonlySet<SurrogateKind> = new Set([
  ...(['place', 'country', 'street', 'organisation', 'hospital', 'clinic'] as const),
  ...(['department', 'profession', 'origin', 'unknown'] as const),
]);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** The weights of a type add up to about this, so that all of them are whole numbers. */
const WEIGHT = 1_000_000;

/**
 * An inventory for a label scheme: entities that were met, weighted by how often, and beside them common
 * ones. Throws `label-unknown` for a type that the scheme does not have and `inventory-invalid` where
 * nothing was learnt, or a form of the institution's own cannot be read.
 */
export async function createInventory(
  scheme: LabelScheme,
  { base, corpora = [], languages = [], locales = [], lists = [], ownForms = [] }: InventorySources,
  {
    exponent = EXPONENT,
    commonShare = COMMON_SHARE,
    ownShare = OWN_SHARE,
    pseudoWords = base?.inventory.file.pseudoWords?.share ?? 0,
    corpusWords = true,
  }: InventoryOptions = {},
): Promise<InventoryFile> {
  const learner = new Learner();
  const sources: InventorySource[] = [];
  if (base) {
    const { name, inventory } = base;
    sources.push(...inventory.file.sources, { name, kind: 'file', digest: inventory.digest });
    requireKnownTypes(
      inventory.types.map((type) => ({ type })),
      scheme,
    );
    learner.begin(inventory, scheme);
  }
  for (const { name, documents } of corpora) {
    sources.push({ name, kind: 'corpus', digest: documentsDigest(documents) });
    for (const document of documents) {
      requireKnownSpans(document, scheme);
      const { text, spans } = document;
      for (const { type, start, end } of spans) {
        const mapped = mapType(type, scheme);
        if (mapped !== null) learner.learn(mapped, text.slice(start, end), corpusWords);
      }
    }
  }
  for (const { name, type, text } of lists) {
    requireKnownTypes([{ type }], scheme);
    sources.push({ name, kind: 'file', digest: createHash('sha256').update(text).digest('hex') });
    for (const line of text.split(/\r?\n/)) learner.learn(mapType(type, scheme) ?? type, line);
  }
  const ofLanguages = await Promise.all(languages.map(localesOf));
  for (const locale of new Set([...ofLanguages.flat(), ...locales])) {
    sources.push({ name: locale, kind: 'locale' });
    learner.add(await localeEntities(locale), scheme.types);
  }
  for (const language of languages) {
    const whose = hasFormsOf(language) ? language : 'any language';
    sources.push({ name: `common forms, ${whose}`, kind: 'forms' });
    for (const common of commonForms(language)) learner.add(common, scheme.types);
  }
  for (const own of ownForms) {
    sources.push({ name: own.name, kind: 'forms', digest: own.digest });
    learner.addLists(own.lists);
    for (const [type, forms] of ownFormsFor(own, scheme, learner.lists)) learner.state(type, forms);
  }
  const statedShare = ownForms.length > 0 ? ownShare : base?.inventory.file.weighting?.ownShare;
  const weighting = {
    ...{ exponent, commonShare },
    ...(statedShare !== undefined && { ownShare: statedShare }),
  };
  const { types, lists: words } = learner.weighted(
    { exponent, commonShare, ownShare },
    languages.length > 0,
  );
  const nameLists = NAME_LISTS.filter((list) => Object.hasOwn(words, list));
  return {
    format: 2,
    sources: onlyOnce(sources),
    weighting,
    ...(pseudoWords > 0 && { pseudoWords: { share: pseudoWords, lists: nameLists } }),
    types,
    lists: words,
  };
}

/** Forms of one type with how often they were met, or how likely they are beside one another. */
type Counts = Map<string, number>;

class Learner {
  /** By type: what another inventory has, what was met in corpora and files, what is common, what is stated. */
  readonly #base = new Map<string, Counts>();
  readonly #met = new Map<string, Counts>();
  readonly #common = new Map<string, Counts>();
  readonly #own = new Map<string, Counts>();
  /** By type, entities as they were written. */
  readonly #written = new Map<string, Counts>();
  readonly #lists = new Map<string, Set<string>>();
  /** Words that were met and join no list that has others. */
  readonly #apart = new Map<string, Set<string>>();

  begin(base: Inventory, scheme: LabelScheme): void {
    this.addLists(base.file.lists);
    for (const type of base.types) {
      const mapped = mapType(type, scheme);
      if (mapped === null) continue;
      for (const [form, share] of base.sharesOf(type)) count(this.#base, mapped, form, share);
    }
  }

  learn(type: string, entity: string, isListed = true): void {
    const learnt = learnForm(entity, type);
    if (!learnt) return;
    count(this.#written, type, entity, 1);
    for (const [list, word] of learnt.words)
      for (const each of list === 'initial' ? LETTERS : [word])
        listIn(isListed ? this.#lists : this.#apart, list).add(each);
    count(this.#met, type, learnt.form, 1);
  }

  addLists(lists: WordLists): void {
    for (const [list, words] of Object.entries(lists))
      for (const word of words) listIn(this.#lists, list).add(word);
  }

  /** Its words join the lists; its forms stand for the types of their kind. */
  add({ lists, forms }: CommonForms, types: readonly string[]): void {
    this.addLists(lists);
    for (const type of types)
      for (const kind of surrogateKinds(type))
        for (const each of forms[kind] ?? []) {
          const [form, weight] = typeof each === 'string' ? [each, 1] : each;
          count(this.#common, type, form, weight);
        }
  }

  state(type: string, forms: ReadonlyMap<string, number>): void {
    for (const [form, weight] of forms) count(this.#own, type, form, weight);
  }

  get lists(): WordLists {
    const all = new Map([...this.#apart, ...this.#lists]);
    return Object.fromEntries([...all].map(([list, words]) => [list, [...words].sort()]));
  }

  /** Throws `inventory-invalid` where nothing was learnt. */
  weighted(
    { exponent, commonShare, ownShare }: Required<Weighting>,
    isCased: boolean,
  ): Pick<InventoryFile, 'types' | 'lists'> {
    const { lists } = this;
    const types: [string, [string, number][]][] = [];
    for (const type of new Set(
      [this.#base, this.#met, this.#common, this.#own].flatMap((each) => [...each.keys()]),
    )) {
      const vary = isCased ? withOtherCasing : sharesOf;
      const powers = [...(this.#met.get(type) ?? [])].map(
        ([form, times]) => [form, times ** exponent] as const,
      );
      const met = vary(new Map(powers), type);
      // A list that no source has leaves the forms that name it empty.
      const stated = vary(withLists(this.#common.get(type), lists), type);
      const base = this.#base.get(type);
      const common = base
        ? sharesOf(base)
        : fitForms(stated, this.#written.get(type) ?? new Map(), lists);
      const others = mixed(met, common, commonShare);
      const all = mixed(others, sharesOf(this.#own.get(type) ?? new Map()), ownShare);
      if (all.size > 0) types.push([type, wholeWeights(all)]);
    }
    if (types.length === 0)
      throw new TacetError(
        'inventory-invalid',
        'no entity was found: give a corpus with labels, a locale, or a list of entities',
      );
    const forms = types.flatMap(([, weighted]) => weighted.map(([form]) => form));
    const named = new Set(forms.flatMap(listsOf));
    const kept = Object.entries(lists).filter(([list]) => named.has(list));
    return { types: Object.fromEntries(types), lists: Object.fromEntries(kept) };
  }
}

function listIn(lists: Map<string, Set<string>>, name: string): Set<string> {
  const list = lists.get(name) ?? new Set();
  lists.set(name, list);
  return list;
}

function onlyOnce(sources: readonly InventorySource[]): InventorySource[] {
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()];
}

function count(types: Map<string, Counts>, type: string, form: string, times: number): void {
  const forms = types.get(type) ?? new Map<string, number>();
  types.set(type, forms.set(form, (forms.get(form) ?? 0) + times));
}

function withLists(forms: Counts = new Map(), lists: WordLists): Counts {
  return new Map([...forms].filter(([form]) => listsOf(form).every((list) => lists[list]?.length)));
}

/** Of two that each add up to 1, or are empty: the second has a share of it where the first has some. */
function mixed(first: Counts, second: Counts, share: number): Counts {
  if (first.size === 0 || second.size === 0) return first.size === 0 ? second : first;
  const all = new Map<string, number>();
  for (const [form, each] of first) all.set(form, each * (1 - share));
  for (const [form, each] of second) all.set(form, (all.get(form) ?? 0) + each * share);
  return all;
}

/** Adding up to 1. */
function sharesOf(weights: Counts): Counts {
  const sum = [...weights.values()].reduce((before, weight) => before + weight, 0);
  return new Map([...weights].map(([form, weight]) => [form, weight / sum]));
}

/** The same, and of what is written in words of its own a few in lower and in upper case. */
function withOtherCasing(weights: Counts, type: string): Counts {
  if (!surrogateKinds(type).some((kind) => WRITTEN_OUT.has(kind))) return sharesOf(weights);
  const all = new Map(weights);
  for (const [form, weight] of weights)
    for (const other of [inCase(form, 'lower'), inCase(form, 'upper')])
      if (!weights.has(other)) all.set(other, (all.get(other) ?? 0) + weight / CASED_OF);
  return sharesOf(all);
}

/** In an order that does not depend on where they were met first. */
function wholeWeights(shares: Counts): [string, number][] {
  return [...shares]
    .filter(([, share]) => share > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([form, share]) => [form, Math.max(1, Math.round(WEIGHT * share))]);
}
