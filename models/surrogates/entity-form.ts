/**
 * The form of an entity: its text with slots for what is drawn anew. `{#4}` stands for four digits,
 * `{01-31}` for a number between two bounds, padded as the lower one is written, and `{family}` for an
 * entry of that word list, `{family:upper}` or `{family:lower}` in that case and `{family:typo}` with a
 * letter wrong. Text with braces has no form.
 */
import { TacetError } from '../../proto/errors.js';
import type { Draws } from './draws.js';
import { misspelt } from './misspelling.js';

export type WordLists = Readonly<Record<string, readonly string[]>>;

/** Draws a word of a list. */
export type DrawWord = (list: string, draws: Draws) => string;

export type Slot =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'digits'; readonly count: number }
  | { readonly kind: 'number'; readonly from: number; readonly to: number; readonly width: number }
  | { readonly kind: 'word'; readonly list: string; readonly written: Written };

/** In what case, or with a letter wrong. */
export type Written = 'same' | 'upper' | 'lower' | 'typo';

const SLOT = /\{([^{}]*)\}|([^{}]+)/gu;
const DIGITS = /^#([1-9]\d?)$/;
const NUMBER = /^(\d{1,9})-(\d{1,9})$/;
const WORD = /^([a-z][A-Za-z0-9-]{0,31})(?::(upper|lower|typo))?$/;

/** Whether a text can be written as a form that stands for itself. */
export function isPlain(text: string): boolean {
  return text !== '' && !/[{}]/.test(text);
}

/** Whether a form can name a list so. */
export function isListName(name: string): boolean {
  return WORD.exec(name)?.[1] === name;
}

/** What a slot can say of digits that are drawn, and of a number that is. */
const MOST_DIGITS = 99;
const LONGEST_NUMBER = 9;

export function digits(count: number): string {
  return `{#${Math.min(MOST_DIGITS, count)}}`;
}

/** A number from `from` to `to`, padded with zeros where `like` is. */
export function numberSlot(from: number, to: number, like: string): string {
  const isPadded = like.length > `${from}`.length && like.startsWith('0');
  const length = Math.min(LONGEST_NUMBER, like.length);
  return `{${isPadded ? `${from}`.padStart(length, '0') : from}-${to}}`;
}

export function wordSlot(list: string, like: string): string {
  const isLong = [...like].length > 1;
  if (isLong && like === like.toUpperCase() && like !== like.toLowerCase())
    return `{${list}:upper}`;
  return like === like.toLowerCase() ? `{${list}:lower}` : `{${list}}`;
}

/** The form whose entities are those of `form` in upper or lower case; what is misspelt stays as it is. */
export function inCase(form: string, written: 'upper' | 'lower'): string {
  const toCase = (text: string) => (written === 'upper' ? text.toUpperCase() : text.toLowerCase());
  return form.replaceAll(SLOT, (all, slot?: string) => {
    if (slot === undefined) return toCase(all);
    const [, list, own] = WORD.exec(slot) ?? [];
    return list === undefined || own === 'typo' ? all : `{${list}:${written}}`;
  });
}

/** The lists that a form names. */
export function listsOf(form: string): string[] {
  const slots = [...form.matchAll(SLOT)].flatMap(([, slot]) => slot ?? []);
  return slots.flatMap((slot) => WORD.exec(slot)?.[1] ?? []);
}

/** The slots of a form and the text between them. Throws `inventory-invalid` as `EntityForm`. */
export function parseForm(form: string, lists: WordLists): readonly Slot[] {
  let length = 0;
  const slots = Array.from(form.matchAll(SLOT), ([all, slot, text]): Slot => {
    length += all.length;
    return slot === undefined ? { kind: 'text', text: text as string } : slotOf(slot, lists);
  });
  if (length === form.length && length > 0) return slots;
  throw invalid('a form has a brace of its own');
}

/** A form that was read: throws `inventory-invalid` where it names no list that there is. */
export class EntityForm {
  readonly #slots: readonly Slot[];

  constructor(form: string, lists: WordLists) {
    this.#slots = parseForm(form, lists);
  }

  fill(draws: Draws, drawWord: DrawWord): string {
    return this.#slots.map((slot) => filled(slot, draws, drawWord)).join('');
  }
}

function slotOf(slot: string, lists: WordLists): Slot {
  const [, count] = DIGITS.exec(slot) ?? [];
  if (count !== undefined) return { kind: 'digits', count: Number(count) };
  const [, low, high] = NUMBER.exec(slot) ?? [];
  if (low !== undefined && high !== undefined) {
    const [from, to] = [Number(low), Number(high)];
    const isPadded = low.length > 1 && low.startsWith('0');
    if (from <= to) return { kind: 'number', from, to, width: isPadded ? low.length : 1 };
  }
  const [, list, written = 'same'] = WORD.exec(slot) ?? [];
  if (list !== undefined && Object.hasOwn(lists, list) && lists[list]?.length)
    return { kind: 'word', list, written: written as Written };
  throw invalid('a form has a slot that is neither digits, nor a range, nor a word list of it');
}

function filled(slot: Slot, draws: Draws, drawWord: DrawWord): string {
  if (slot.kind === 'text') return slot.text;
  if (slot.kind === 'digits')
    return Array.from({ length: slot.count }, () => draws.integer(10)).join('');
  if (slot.kind === 'number')
    return `${slot.from + draws.integer(slot.to - slot.from + 1)}`.padStart(slot.width, '0');
  return WRITE[slot.written](drawWord(slot.list, draws), draws);
}

const WRITE: Readonly<Record<Written, (word: string, draws: Draws) => string>> = {
  same: (word) => word,
  upper: (word) => word.toUpperCase(),
  lower: (word) => word.toLowerCase(),
  typo: misspelt,
};

function invalid(what: string): TacetError {
  return new TacetError('inventory-invalid', `${what}; make it with \`tacet inventory create\``);
}
