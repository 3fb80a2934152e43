import { Ajv, type ErrorObject, type Options, type SchemaObject, type ValidateFunction } from 'ajv';

/** Whether a value fits a JSON Schema; `errors` are those of the last one that was asked about. */
export interface JsonCheck<T> {
  (value: unknown): value is T;
  readonly errors: readonly ErrorObject[];
}

/** By their options. */
const COMPILERS = new Map<string, Ajv>();

/**
 * The schema is compiled when it is first asked: compiling takes longer than most of what starts, and few of the schemas
 * that it loads are asked.
 */
export function jsonCheck<T>(schema: SchemaObject, options: Options = {}): JsonCheck<T> {
  let compiled: ValidateFunction<T> | undefined;
  const check = (value: unknown): value is T => {
    compiled ??= compilerFor(options).compile<T>(schema);
    return compiled(value);
  };
  return Object.defineProperty(check, 'errors', {
    get: () => compiled?.errors ?? [],
  }) as JsonCheck<T>;
}

/** Schemas are the program's own: what they are held to as they are compiled is enough, and JSON Schema's schema takes long. */
function compilerFor(options: Options): Ajv {
  const key = JSON.stringify(options);
  const compiler = COMPILERS.get(key) ?? new Ajv({ validateSchema: false, ...options });
  COMPILERS.set(key, compiler);
  return compiler;
}
