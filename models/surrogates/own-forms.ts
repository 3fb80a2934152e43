/**
 * How an institution writes and labels entities, where that is unlike the provider: forms by PHI type, stated by hand
 * from what anyone may know of it, such as its guideline for annotators. They hold nothing of a note.
 */
import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import { parseJsonText } from '../../proto/json-text.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, mapOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { type LabelScheme, mapType, requireKnownTypes } from '../text/label-scheme.js';
import { isListName, listsOf, parseForm, type WordLists } from './entity-form.js';

const FORM = Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S' });
/** The one or the other by whether it is a list, so that an error is of the one that was meant. */
const WEIGHED_FORM = Type.Unsafe<string | [form: string, weight: number]>({
  type: ['string', 'array'],
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    minItems: 2,
    maxItems: 2,
    items: [FORM, Type.Number({ exclusiveMinimum: 0, maximum: 1e6 })],
  },
  else: FORM,
});
const OWN_FORMS = closedObject({
  /** By type: forms, and how likely each is beside the others where that isn't 1. */
  forms: mapOf(Type.Array(WEIGHED_FORM, { minItems: 1 })),
  /** Words that are public, such as towns or offices of the country; they join a list of that name. */
  lists: Type.Optional(mapOf(Type.Array(FORM, { minItems: 1 }))),
});

export interface OwnForms {
  readonly name: string;
  /** SHA-256 of the file, in hex. */
  readonly digest: string;
  /** By type: forms, and how likely each is beside the others where that isn't 1. */
  readonly forms: TypeOf<typeof OWN_FORMS>['forms'];
  readonly lists: WordLists;
}

/** Throws `inventory-invalid`. */
export function readOwnForms(name: string, text: string): OwnForms {
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch (cause) {
    throw new TacetError('inventory-invalid', `${name}: expected JSON, {"forms", "lists"}`, {
      cause,
    });
  }
  const digest = createHash('sha256').update(text).digest('hex');
  const { forms, lists = {} } = validator(OWN_FORMS, 'inventory-invalid', name)(value);
  for (const list of Object.keys(lists))
    if (!isListName(list))
      throw new TacetError(
        'inventory-invalid',
        `${name}: a list cannot be named in a form; expected a small letter, then letters, digits and hyphens, up to 32`,
      );
  return { name, digest, forms, lists: onOneLines(lists) };
}

/** Surrogates of several lines, or in another Unicode form than notes are read in, would part tokens and sentences. */
function onOneLine(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}

function onOneLines(lists: WordLists): WordLists {
  return Object.fromEntries(
    Object.entries(lists).map(([list, words]) => [list, words.map(onOneLine)]),
  );
}

/**
 * By type of the scheme, how likely each form is stated to be. Throws `label-unknown` for a type that the scheme does
 * not have, and `inventory-invalid`, which says where, for one that it takes for no PHI, a form that can't be read, and
 * a list that there is none of.
 */
export function ownFormsFor(
  { name, forms: all }: OwnForms,
  scheme: LabelScheme,
  lists: WordLists,
): Map<string, Map<string, number>> {
  requireKnownTypes(
    Object.keys(all).map((type) => ({ type })),
    scheme,
  );
  const stated = new Map<string, Map<string, number>>();
  for (const [type, forms] of Object.entries(all)) {
    const mapped = mapType(type, scheme);
    if (mapped === null)
      throw new TacetError(
        'inventory-invalid',
        `${name}: the label scheme ${scheme.name} takes ${type} for no PHI, so that nothing replaces it; leave it out`,
      );
    const own = stated.get(mapped) ?? new Map<string, number>();
    for (const [i, each] of forms.entries()) {
      const [written, weight] = typeof each === 'string' ? [each, 1] : each;
      const form = onOneLine(written);
      requireForm(form, lists, `${name}: form ${i + 1} of ${type}`);
      own.set(form, (own.get(form) ?? 0) + weight);
    }
    stated.set(mapped, own);
  }
  return stated;
}

function requireForm(form: string, lists: WordLists, where: string): void {
  const missing = listsOf(form).find((list) => !lists[list]?.length);
  if (missing !== undefined)
    throw new TacetError(
      'inventory-invalid',
      `${where} names the list ${missing}, which there is not; expected one of "lists", or of ` +
        `${Object.keys(lists).sort().join(', ') || 'a language, a locale or an inventory to begin with'}`,
    );
  try {
    parseForm(form, lists);
  } catch (cause) {
    throw new TacetError(
      'inventory-invalid',
      `${where} cannot be read: expected text with slots such as {#4}, {1-28} and {family}`,
      { cause },
    );
  }
}
