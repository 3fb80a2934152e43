import type { SchemaObject } from 'ajv';
import { PROBLEM, PROBLEM_TYPE } from '../../proto/problem.js';
import type { Answer } from './answer.js';
import { OpenApiSchemas } from './openapi-schema.js';
import type { OpenRoute, Route } from './route.js';

const JSON_TYPE = 'application/json';

type Operations = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of a service, made from its routes: https://spec.openapis.org/oas/v3.1.1.html
 */
export function describeRoutes(
  name: string,
  routes: readonly Route[],
  openRoutes: readonly OpenRoute[],
): Operations {
  const schemas = new OpenApiSchemas();
  const paths: Record<string, Operations> = {};
  for (const { path, summary, answer, mayFail } of openRoutes) {
    const responses = {
      200: success('OK', answer, schemas),
      ...otherAnswers(answer, schemas),
      ...(mayFail && { default: failure(undefined, schemas) }),
    };
    const get = { operationId: operationIdOf('get', path), summary, security: [], responses };
    paths[path] = { get };
  }
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Tacet ${name}`,
      version: '1',
      summary: 'Privacy-preserving representation sharing for clinical text',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: schemas.components,
    },
  };
}

function operationOf(route: Route, schemas: OpenApiSchemas): Operations {
  const { method, path, summary, roles = [], query, body, answer, errors, jsonType } = route;
  const { media, headers = {} } = route.takes ?? {};
  const parameters = [
    ...pathParameters(path),
    ...queryParameters(query?.schema, schemas),
    ...headerParameters(headers),
  ];
  const requestTypes = jsonType === undefined ? [JSON_TYPE] : [jsonType, JSON_TYPE];
  const requestBody = body && {
    required: true,
    content: Object.fromEntries(
      requestTypes.map((type) => [type, { schema: schemas.ofRequest(body.schema) }]),
    ),
  };
  return {
    operationId: operationIdOf(method, path),
    summary,
    'x-roles': roles,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    ...(media && { requestBody: { required: true, content: { [media]: {} } } }),
    responses: {
      [route.success ?? 200]: success('Success', answer, schemas, jsonType),
      ...otherAnswers(answer, schemas),
      default: failure(errors, schemas, jsonType),
    },
  };
}

/** `getV1ModelsByNameByVersion`, for generated clients. */
function operationIdOf(method: string, path: string): string {
  const words = path
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function success(
  description: string,
  { json, media = [], headers }: Answer,
  schemas: OpenApiSchemas,
  jsonType = JSON_TYPE,
) {
  const content = {
    ...(json && { [jsonType]: { schema: schemas.ofAnswer(json) } }),
    ...Object.fromEntries(media.map((type) => [type, {}])),
  };
  return {
    description,
    ...(headers && { headers: describedHeaders(headers) }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function describedHeaders(headers: Readonly<Record<string, string>>): Operations {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

function otherAnswers({ others = {} }: Answer, schemas: OpenApiSchemas): Operations {
  return Object.fromEntries(
    Object.entries(others).map(([status, { description, json }]) => [
      status,
      success(description, json ? { json } : {}, schemas),
    ]),
  );
}

function failure(errors: SchemaObject | undefined, schemas: OpenApiSchemas, jsonType = JSON_TYPE) {
  return errors
    ? { description: 'An error', content: { [jsonType]: { schema: schemas.ofAnswer(errors) } } }
    : {
        description: 'Problem details with a stable code',
        content: { [PROBLEM_TYPE]: { schema: schemas.ofAnswer(PROBLEM) } },
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

function queryParameters(schema: SchemaObject | undefined, schemas: OpenApiSchemas): Operations[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, SchemaObject>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema: schemas.ofRequest(property),
  }));
}

function headerParameters(headers: Readonly<Record<string, string>>): Operations[] {
  return Object.entries(headers).map(([name, description]) => ({
    ...{ name, in: 'header', description },
    required: true,
    schema: { type: 'string' },
  }));
}
