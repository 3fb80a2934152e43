import type { ErrorObject, SchemaObject } from 'ajv';
import { type ErrorCode, TacetError } from './errors.js';
import { jsonCheck } from './json-check.js';
import type { TSchema } from './typebox.js';
import type { TypeOf } from './typed-schema.js';

/** Checks that `value` is a `T`; throws a `TacetError` that names the field, never its value. */
export interface Validator<T> {
  (value: unknown): T;
  readonly schema: SchemaObject;
}

const OPTIONS = {
  allErrors: false,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
} as const;

/** `what` names the value in the error, e.g. `the contribution`. */
export function validator<S extends TSchema>(
  schema: S,
  code: ErrorCode,
  what: string,
): Validator<TypeOf<S>> {
  const fits = jsonCheck<TypeOf<S>>(schema, OPTIONS);
  const validate = (value: unknown): TypeOf<S> => {
    if (fits(value)) return value;
    throw new TacetError(code, `${what}: ${fault(fits.errors[0])}`);
  };
  return Object.assign(validate, { schema });
}

/** Whoever makes a key of a text in the wrong place shall not read it in an error. */
export function named(key: string): string {
  return /^[\w.-]{1,64}$/.test(key) ? key : 'a key that is no name';
}

function fault(error: ErrorObject | undefined): string {
  if (!error) return 'is malformed';
  const path = error.instancePath.split('/').slice(1);
  const field = path.map(named).join('.') || 'it';
  const { additionalProperty } = error.params as { additionalProperty?: unknown };
  const unknown = typeof additionalProperty === 'string' ? ` (${named(additionalProperty)})` : '';
  return `${field} ${error.message ?? 'is malformed'}${unknown}`;
}
