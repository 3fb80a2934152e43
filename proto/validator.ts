import { Ajv, type ErrorObject, type JSONSchemaType, type SchemaObject } from 'ajv';
import { type ErrorCode, TacetError } from './errors.js';

/** Checks that `value` is a `T`; throws a `TacetError` that names the field, never its value. */
export interface Validator<T> {
  (value: unknown): T;
  readonly schema: SchemaObject;
}

const ajv = new Ajv({
  allErrors: false,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
});

/** `what` names the value in the error, e.g. `the contribution`. */
export function validator<T>(
  schema: JSONSchemaType<T> | SchemaObject,
  code: ErrorCode,
  what: string,
): Validator<T> {
  const check = ajv.compile(schema as SchemaObject);
  const validate = (value: unknown): T => {
    if (check(value)) return value as T;
    throw new TacetError(code, `${what}: ${fault(check.errors?.[0])}`);
  };
  return Object.assign(validate, { schema: schema as SchemaObject });
}

function fault(error: ErrorObject | undefined): string {
  if (!error) return 'is malformed';
  const field = error.instancePath.slice(1).replaceAll('/', '.') || 'it';
  const { additionalProperty } = error.params as { additionalProperty?: unknown };
  const unknown = typeof additionalProperty === 'string' ? ` (${additionalProperty})` : '';
  return `${field} ${error.message ?? 'is malformed'}${unknown}`;
}
