import { isDeepStrictEqual } from 'node:util';
import { isMarkedNumber } from './exact-numbers.js';

export type Fields = Readonly<Record<string, unknown>>;

/** Labels and names of features: no text fits, though a single word could. */
const NAME = /^[\p{L}\p{N}_.:-]{1,64}$/u;

/** The view of a CAS whose name could be a text. */
export const INITIAL_VIEW = '_InitialView';

export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

/** Counts what is left out where structures are built anew of what is known of them. */
export class Removals {
  count = 0;

  /** `kept`, with what `original` had beside it counted; empty lists and empty strings are no loss. */
  keep<T extends Fields>(original: Fields, kept: T): T {
    for (const [key, value] of Object.entries(original))
      if (!Object.hasOwn(kept, key) && !isEmpty(value)) this.count++;
    return kept;
  }

  /** The entries of `original` under these keys whose values are numbers, booleans or null. */
  plain(original: Fields, keys: readonly string[]): Fields {
    const isPlain = (value: unknown) => typeof value !== 'string' && !isObject(value);
    return this.only(original, keys, (value) => isPlain(value) || isMarkedNumber(value));
  }

  /** The same of those whose values are names. */
  names(original: Fields, keys: readonly string[]): Fields {
    return this.only(original, keys, isName);
  }

  private only(
    original: Fields,
    keys: readonly string[],
    fits: (value: unknown) => boolean,
  ): Fields {
    return Object.fromEntries(
      keys
        .filter((key) => Object.hasOwn(original, key) && fits(original[key]))
        .map((key) => [key, original[key]]),
    );
  }
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

export function fieldsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isEmpty(value: unknown): boolean {
  return (
    value === '' || value === null || isDeepStrictEqual(value, []) || isDeepStrictEqual(value, {})
  );
}
