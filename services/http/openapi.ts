import type { SchemaObject } from 'ajv';
import { PROBLEM_TYPE } from '../../proto/problem.js';
import type { OpenRoute, Route } from './route.js';

const PROBLEM = {
  description: 'Problem details with a stable code',
  content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
};

const COMPONENTS = {
  securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  schemas: {
    Problem: {
      type: 'object',
      required: ['type', 'title', 'status', 'detail', 'code'],
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        code: { type: 'string' },
      },
    },
  },
};

type Operations = Record<string, unknown>;

/** The OpenAPI 3.1 document of a service, made from its routes. */
export function describeRoutes(
  name: string,
  routes: readonly Route[],
  openRoutes: readonly OpenRoute[],
): Operations {
  const paths: Record<string, Operations> = {};
  for (const { path, summary } of openRoutes) {
    paths[path] = { get: { summary, security: [], responses: { 200: { description: 'OK' } } } };
  }
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: `Tacet ${name}`, version: '1' },
    security: [{ token: [] }],
    paths,
    components: COMPONENTS,
  };
}

function operationOf({ path, summary, roles = [], query, body, success = 200 }: Route): Operations {
  const parameters = [...pathParameters(path), ...queryParameters(query?.schema)];
  const requestBody = body && {
    required: true,
    content: { 'application/json': { schema: body.schema } },
  };
  return {
    summary,
    'x-roles': roles,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { [success]: { description: 'Success' }, default: PROBLEM },
  };
}

function pathParameters(path: string): Operations[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(schema?: SchemaObject): Operations[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Operations };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    schema: property,
  }));
}
