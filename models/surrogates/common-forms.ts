import { readFileSync } from 'node:fs';
import type { WordLists } from './entity-form.js';
import type { SurrogateKind } from './surrogate-kind.js';

/** Ways to write entities that are nobody's own: dates, names, phones, numbers. */
export interface CommonForms {
  readonly forms: Readonly<Partial<Record<SurrogateKind, readonly string[]>>>;
  readonly lists: WordLists;
}

const FORMS: Readonly<Record<string, CommonForms>> = JSON.parse(
  readFileSync(new URL('./common-forms.json', import.meta.url), 'utf8'),
);

/** Those of any language, and of one (BCP 47) where it has some of its own. */
export function commonForms(language: string): readonly CommonForms[] {
  const own = FORMS[baseOf(language)];
  return [FORMS.any as CommonForms, ...(own ? [own] : [])];
}

/** `es` of `es-MX`. */
export function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? '';
}
