import { TacetError } from '../../../proto/errors.js';
import type { JsonCheck } from '../../../proto/json-check.js';
import { jsonIn } from '../../../proto/json-text.js';

/**
 * The value of a JSON text of a shape. Throws `corpus-invalid` with the place of what is wrong as a
 * JSON pointer, and no word of the text: the engine's own message would quote it.
 */
export function checkedJson<T>(
  json: string,
  fits: JsonCheck<T>,
  origin: string,
  expected: string,
): T {
  const value = jsonIn(json);
  if (value === undefined)
    throw new TacetError('corpus-invalid', `${origin}: no JSON; expected ${expected}`);
  return checkedValue(value, fits, origin, expected);
}

/** The same of a value that was parsed. */
export function checkedValue<T>(
  value: unknown,
  fits: JsonCheck<T>,
  origin: string,
  expected: string,
): T {
  if (fits(value)) return value;
  const [error] = fits.errors;
  throw new TacetError(
    'corpus-invalid',
    `${origin}: ${placeOf(error?.instancePath)} ${error?.message ?? 'is malformed'}; expected ${expected}`,
  );
}

/** A pointer may name keys, which a file is free to fill with anything. */
function placeOf(pointer: string | undefined): string {
  if (!pointer) return 'the value';
  return /^[\w/%@.-]{1,200}$/.test(pointer) ? pointer : 'a value within';
}
