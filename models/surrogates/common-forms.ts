import { existsSync, readFileSync } from 'node:fs';
import type { WordLists } from './entity-form.js';
import type { SurrogateKind } from './surrogate-kind.js';
import { baseOf } from './surrogate-language.js';

/** Ways to write entities that are nobody's own: dates, names, organisations, numbers. */
export interface CommonForms {
  readonly forms: KindForms;
  readonly lists: WordLists;
}

/** By kind of entity: forms, and how likely each is beside the others where that isn't 1. */
export type KindForms = Readonly<
  Partial<Record<SurrogateKind, readonly (string | readonly [form: string, weight: number])[]>>
>;

/** Those of any language, and of one (BCP 47) where it has some of its own. */
export function commonForms(language: string): readonly CommonForms[] {
  const own = formsIn(baseOf(language));
  return [formsIn('any') as CommonForms, ...(own ? [own] : [])];
}

/** Whether a language (BCP 47) has some of its own. */
export function hasFormsOf(language: string): boolean {
  return formsIn(baseOf(language)) !== undefined;
}

function formsIn(name: string): CommonForms | undefined {
  const file = new URL(`./common-forms/${name}.json`, import.meta.url);
  if (!/^[a-z]+$/.test(name) || !existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8'));
}
