import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Described, keptDocument, SERVICES } from './described.js';

export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

interface Route {
  readonly pattern: RegExp;
  readonly method: string;
  /** By status. */
  readonly schemas: ReadonlyMap<string, object>;
  readonly ajv: Ajv2020;
}

/** Documents of services, to hold what is answered to them. */
export class DescribedAnswers {
  readonly #routes: readonly Route[];

  constructor(documents: readonly Described[]) {
    this.#routes = documents.flatMap(routesOf);
  }

  /** What is wrong with an answer, without a word of it; undefined for one as described. */
  strayOf({ method, path, status, body }: Answered): string | undefined {
    const routes = this.#routes.filter(
      (route) => route.method === method.toLowerCase() && route.pattern.test(path),
    );
    // A path that no route has is answered with a problem, and a page's form with its own kinds.
    if (routes.length === 0) return undefined;
    const faults = routes.map(({ schemas, pattern, ajv }) => {
      const schema = schemas.get(`${status}`) ?? schemas.get('default');
      if (!schema) return `${method} ${pattern.source}: ${status} with JSON is not described`;
      // Compiled once for each object.
      const check = ajv.compile(schema);
      if (check(JSON.parse(body))) return undefined;
      const fault = check.errors?.[0];
      const extra = JSON.stringify(fault?.params);
      return `${method} ${pattern.source} ${status}: ${fault?.instancePath} ${fault?.message} ${extra}`;
    });
    return faults.includes(undefined) ? undefined : faults[0];
  }
}

function routesOf({ paths, components }: Described): Route[] {
  const ajv = new Ajv2020({ strict: false });
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => ({
      pattern: patternOf(path),
      method,
      ajv,
      schemas: new Map(
        Object.entries(responses).flatMap(([status, { content = {} }]): [string, object][] => {
          const type = Object.keys(content).find((each) => each.endsWith('json'));
          const schema = type === undefined ? undefined : content[type]?.schema;
          return schema ? [[status, closed({ ...schema, components })]] : [];
        }),
      ),
    })),
  );
}

/** Of paths in which braces alone stand for others; `$` begins the name of an operation of FHIR. */
function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[$.*+?^()[\]|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

/** The same schema without room for more fields, so that no answer has one that is not described. */
function closed<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed) as T;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  const all = Object.fromEntries(entries);
  const isObject = all.type === 'object' && 'properties' in all;
  return isObject && !('additionalProperties' in all)
    ? { ...all, additionalProperties: false }
    : all;
}

export const ANSWERS = new DescribedAnswers(SERVICES.map((name) => keptDocument(name)));
