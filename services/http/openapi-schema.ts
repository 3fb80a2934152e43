import type { SchemaObject } from 'ajv';

type Schemas = Record<string, unknown>;

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'propertyNames'];
const SEVERAL = ['allOf', 'anyOf', 'oneOf'];
const NAMED = ['properties', 'patternProperties'];

/**
 * The schemas of a document: each with a `title` stands once, under that name in `components`, and is
 * referred to. Throws where two of one name differ.
 */
export class OpenApiSchemas {
  readonly components: Record<string, Schemas> = {};

  /** What a caller sends: as the server checks it. */
  ofRequest(schema: SchemaObject): Schemas {
    return this.#converted(schema, true);
  }

  /** What a server answers, which may have more fields in a later release. */
  ofAnswer(schema: SchemaObject): Schemas {
    return this.#converted(schema, false);
  }

  #converted(schema: SchemaObject, closed: boolean): Schemas {
    const { title, nullable, ...rest } = schema as { title?: unknown; nullable?: unknown };
    if (typeof title !== 'string') return this.#inDialect(schema, closed);
    const name = closed ? `${title}Request` : title;
    this.#keep(name, { title: name, ...this.#inDialect(rest, closed) });
    const reference = { $ref: `#/components/schemas/${name}` };
    return nullable === true ? orNull(reference) : reference;
  }

  #keep(name: string, schema: Schemas): void {
    const known = this.components[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas are called ${name}`);
    this.components[name] = schema;
  }

  /** From draft 7, as ajv checks it, to draft 2020-12, which OpenAPI 3.1 speaks. */
  #inDialect({ nullable, dependencies, ...schema }: SchemaObject, closed: boolean): Schemas {
    const convert = (value: unknown) =>
      typeof value === 'object' && value !== null ? this.#converted(value, closed) : value;
    const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === 'additionalProperties' && value === false && !closed) return [];
      if (ONE.includes(keyword)) return [[keyword, convert(value)]];
      if (SEVERAL.includes(keyword)) return [[keyword, (value as unknown[]).map(convert)]];
      if (!NAMED.includes(keyword)) return [[keyword, value]];
      const named = Object.entries(value as Schemas).map(([name, each]) => [name, convert(each)]);
      return [[keyword, Object.fromEntries(named)]];
    });
    const converted = Object.fromEntries(entries);
    if (dependencies !== undefined) converted.dependentRequired = dependencies;
    return nullable === true ? orNull(converted) : converted;
  }
}

function orNull(schema: Schemas): Schemas {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const withNull = Array.isArray(values) && { enum: [...values, null] };
  return { ...schema, type: [type, 'null'], ...withNull };
}
