/**
 * JSON schemas (draft 7) with the type of what they accept, so that a thing is declared once: TypeBox's
 * builders, and here what it has no word for or says in other keywords.
 */
import {
  type Static,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from './typebox.js';

/** What a schema accepts, readonly at every depth. */
export type TypeOf<S extends TSchema> = DeepReadonly<Static<S>>;

/** What has no keys that are known, as `object`, stays as it is. */
type DeepReadonly<T> = T extends unknown
  ? keyof T extends never
    ? T
    : { readonly [K in keyof T]: DeepReadonly<T[K]> }
  : never;

/** An object with these properties and no others. */
export function closedObject<P extends TProperties>(
  properties: P,
  options: TObjectOptions = {},
): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** An object with values of one kind under any names. */
export function mapOf<S extends TSchema>(
  values: S,
  options: TObjectOptions = {},
): TUnsafe<Record<string, Static<S>>> {
  return Type.Unsafe({ type: 'object', additionalProperties: values, ...options });
}

/** An array of two. */
export function pairOf<S extends TSchema>(
  items: S,
): TUnsafe<[first: Static<S>, second: Static<S>]> {
  return Type.Unsafe({ type: 'array', items, minItems: 2, maxItems: 2 });
}

/** One of some strings. */
export function oneOf<const V extends string>(values: readonly V[]): TUnsafe<V> {
  return Type.Unsafe({ type: 'string', enum: values });
}

export function constant<const V extends string | number>(value: V): TUnsafe<V> {
  return Type.Unsafe({ const: value });
}

/** `schema` or null, as OpenAPI 3.0 and ajv write it. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type } = schema as { readonly type?: unknown };
  // Of several types Ajv would add null to the list itself, which others read.
  if (Array.isArray(type)) return Type.Unsafe({ ...schema, type: [...type, 'null'] });
  return Type.Unsafe({ ...schema, nullable: true });
}

/** The same of an object, as draft 7 writes it. */
export function objectOrNull<P extends TProperties>(
  schema: TObject<P>,
): TUnsafe<Static<TObject<P>> | null> {
  return Type.Unsafe({ ...schema, type: ['object', 'null'] });
}

interface JsonTypes {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly object: object;
  readonly null: null;
}

/** Whatever has one of these types. */
export function ofType<T extends keyof JsonTypes>(...types: readonly T[]): TUnsafe<JsonTypes[T]> {
  return Type.Unsafe({ type: types });
}
