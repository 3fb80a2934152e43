import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { MEMBERS, ROLES, type Role } from '../../../pool-store/members/tokens.js';
import { ERRORS } from '../../../proto/errors.js';
import type { Servers } from '../../../services/cli/servers.js';
import { changeRows } from '../../pool-store/changed-rows.js';
import { ROOT } from '../../shared-data.js';
import { createWorld, serve, type World } from '../world.js';

interface Described {
  readonly 'x-roles'?: string[];
  readonly requestBody?: unknown;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}
type Document = Record<'paths', Record<string, Record<string, Described>>>;
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly roles: readonly string[] | undefined;
  readonly takesJson: boolean;
  /** Names of the parameters of its query. */
  readonly queries: readonly string[];
}

let world: World;
let servers: Servers;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

const urlOf = (service: 'registry' | 'pool') => servers.addresses[service] ?? '';

async function operationsOf(service: 'registry' | 'pool'): Promise<Operation[]> {
  const response = await fetch(`${urlOf(service)}/openapi.json`);
  const { paths } = (await response.json()) as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      roles: operation['x-roles'],
      takesJson: operation.requestBody !== undefined,
      queries: (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => parameter.name),
    })),
  );
}

async function call(
  service: 'registry' | 'pool',
  { method, path }: Pick<Operation, 'method' | 'path'>,
  authorization?: string,
): Promise<{ status: number; code: string | undefined }> {
  const url = urlOf(service) + path.replace(/\{\w+\}/g, 'ab'.repeat(32));
  const response = await fetch(url, {
    method,
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    },
  });
  const text = await response.text();
  const problem = text.startsWith('{"type"') ? JSON.parse(text) : {};
  return { status: response.status, code: problem.code };
}

async function uselessTokens(): Promise<Record<string, string | undefined>> {
  const { tokens } = servers.store;
  const revoked = await tokens.create({ role: 'admin', name: 'revoked' });
  await tokens.revoke(revoked.id);
  const rotated = await tokens.create({ role: 'admin', name: 'rotated' });
  await tokens.rotate(rotated.id);
  const expired = await tokens.create({ role: 'admin', name: 'expired' });
  await changeRows(
    servers.store.catalog,
    sql`UPDATE tokens SET expires = '2001-01-01T00:00:00Z' WHERE id = ${expired.id}`,
  );
  const [id] = world.tokens.admin.split('.');
  return {
    absent: undefined,
    malformed: 'Bearer what',
    'of another scheme': `Basic ${world.tokens.admin}`,
    'with another secret': `Bearer ${id}.${'A'.repeat(43)}`,
    'that was revoked': `Bearer ${revoked.token}`,
    'that was rotated': `Bearer ${rotated.token}`,
    'that expired': `Bearer ${expired.token}`,
  };
}

describe.each(['registry', 'pool'] as const)('every route of the %s', (service) => {
  test('refuses a token that is absent, malformed, wrong or ended', async () => {
    const useless = Object.entries(await uselessTokens());
    for (const operation of await operationsOf(service)) {
      if (!operation.roles) continue;
      for (const [what, authorization] of useless) {
        const { status } = await call(service, operation, authorization);
        expect({ what, ...operation, status }).toEqual({ what, ...operation, status: 401 });
      }
    }
  });

  test('lets the roles of the OpenAPI document in, and no other', async () => {
    for (const operation of await operationsOf(service)) {
      if (!operation.roles) continue;
      for (const role of ROLES) {
        const { status } = await call(service, operation, `Bearer ${world.tokens[role]}`);
        const found = { role, ...operation, forbidden: status === 403 };
        expect(found).toEqual({
          role,
          ...operation,
          forbidden: !operation.roles.includes(role),
        });
        expect(status).toBeLessThan(500);
      }
    }
  });

  test('answers failures with a code of the error table', async () => {
    for (const operation of await operationsOf(service)) {
      if (!operation.roles || operation.method === 'HEAD') continue;
      const { code } = await call(service, operation);
      expect(Object.keys(ERRORS)).toContain(code);
    }
  });

  test('is in the OpenAPI document', async () => {
    const known = await operationsOf(service);
    const unknown = { method: 'GET', path: '/v1/secrets' };
    expect(await call(service, unknown)).toEqual({ status: 404, code: 'route-unknown' });
    expect(known.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(EXPECTED[service]),
    );
  });
});

test('the table of routes and roles in the documentation is true', async () => {
  const rows = new Map<string, Record<string, string>>();
  for (const service of ['registry', 'pool'] as const) {
    for (const { method, path, roles = ['anyone'] } of await operationsOf(service)) {
      const every = MEMBERS.every((role) => roles.includes(role));
      const allowed = every ? 'every role' : roles.join(', ');
      const row = rows.get(`${method} ${path}`);
      rows.set(`${method} ${path}`, { ...row, [service]: allowed });
    }
  }
  const text = readFileSync(join(ROOT, 'docs', 'operating.md'), 'utf8');
  const documented = [...text.matchAll(/^\| ([A-Z]+ \/\S*) +\| (.*?) *\| (.*?) *\|$/gm)].map(
    ([, route = '', registry = '', pool = '']) => [route, registry, pool],
  );
  const described = [...rows].map(([route, { registry = '', pool = '' }]) => [
    route,
    registry,
    pool,
  ]);
  expect(documented.sort()).toEqual(described.sort());
});

/** The routes of docs/design.md, Services. */
const SHARED = [
  'GET /livez',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'POST /v1/uploads',
  'PATCH /v1/uploads/{id}',
  'GET /v1/blobs/{digest}',
  'GET /v1/log',
  'GET /v1/log/head',
  'GET /v1/identities',
  'POST /v1/identities',
  'POST /v1/identities/{id}/approve',
  'DELETE /v1/identities/{id}',
  'GET /v1/tokens',
  'POST /v1/tokens',
  'POST /v1/tokens/{id}/rotate',
  'DELETE /v1/tokens/{id}',
];
const EXPECTED = {
  registry: [
    ...SHARED,
    'GET /v1/models',
    'POST /v1/models',
    'GET /v1/models/{name}/{version}',
    'POST /v1/models/{name}/{version}/deprecate',
    'POST /v1/models/{name}/{version}/revoke',
    'GET /v1/models/{name}/{version}/audits',
    'POST /v1/models/{name}/{version}/audits',
    'PUT /v1/models/{name}/aliases/{alias}',
  ],
  pool: [
    ...SHARED,
    'GET /v1/contributions',
    'POST /v1/contributions',
    'GET /v1/contributions/{id}',
    'DELETE /v1/contributions/{id}',
    'GET /v1/snapshots',
    'POST /v1/snapshots',
    'GET /v1/snapshots/{id}',
    'GET /v1/snapshots/{id}/diff/{other}',
    'GET /v1/snapshots/{id}/runs',
    'POST /v1/snapshots/{id}/runs',
    'GET /v1/snapshots/{id}/sentences',
    'GET /v1/statistics',
  ],
};

const PATHS = [
  '../catalog.db',
  '..%2f..%2fcatalog.db',
  '%2e%2e%2f%2e%2e%2fcatalog.db',
  '..%5c..%5ccatalog.db',
  '%00',
  '%ff',
  'a%0d%0aX-Injected:1',
  'x'.repeat(5000),
];
const BODIES: readonly string[] = [
  'null',
  '[]',
  '"text"',
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{}}}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `{${'"a":{'.repeat(1000)}${'}'.repeat(1000)}}`,
  '{"name":1e999}',
  '{"a":1,"a":2}',
];

/** Sends the path as it is: `fetch` would tidy it up first. */
function raw(
  service: 'registry' | 'pool',
  method: string,
  path: string,
  body = '',
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(urlOf(service));
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, headers };
    const asked = request(options, async (response) => {
      const text = await buffer(response);
      resolve({ status: response.statusCode ?? 0, text: text.toString() });
    });
    asked.on('error', reject).end(body);
  });
}

describe.each(['registry', 'pool'] as const)('every route of the %s', (service) => {
  const asAdmin = (operation: Operation) => ({
    Authorization: `Bearer ${world.tokens[(operation.roles?.[0] ?? 'admin') as Role]}`,
    'Tus-Resumable': '1.0.0',
    'Content-Type': 'application/json',
  });

  test('finds nothing for a path that is no name', async () => {
    for (const operation of await operationsOf(service)) {
      if (!operation.path.includes('{')) continue;
      for (const path of PATHS) {
        const target = operation.path.replace(/\{\w+\}/, path).replace(/\{\w+\}/g, 'x');
        const headers = asAdmin(operation);
        const { status, text } = await raw(service, operation.method, target, '', headers);
        const found = { path: target.slice(0, 99), refused: status >= 400 && status < 500 };
        expect(found).toEqual({ path: target.slice(0, 99), refused: true });
        expect(text).not.toMatch(/\n\s+at |SQLite|node_modules/);
      }
    }
  });

  test('refuses a body that is not what it takes', async () => {
    for (const operation of await operationsOf(service)) {
      if (!operation.takesJson) continue;
      const path = operation.path.replace(/\{\w+\}/g, 'ab'.repeat(32));
      for (const body of BODIES) {
        const { status, text } = await raw(
          service,
          operation.method,
          path,
          body,
          asAdmin(operation),
        );
        const found = { ...operation, body: body.slice(0, 40), status };
        expect(found).toEqual({ ...found, status: 400 });
        expect(JSON.parse(text)).toEqual(expect.objectContaining({ code: 'request-invalid' }));
        expect(text).not.toMatch(/\n\s+at |node_modules/);
      }
    }
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test('refuses a query that is not what it takes', async () => {
    for (const operation of await operationsOf(service)) {
      for (const name of operation.queries) {
        const path = operation.path.replace(/\{\w+\}/g, 'ab'.repeat(32));
        for (const query of [
          'secret=1',
          '__proto__=1',
          `${name}=0&${name}=1`,
          `${name}[]=0`,
          `${name}=-1`,
          `${name}=%00`,
          `${name}=${'9'.repeat(3000)}`,
        ]) {
          const headers = asAdmin(operation);
          const target = `${path}?${query}`;
          const { status, text } = await raw(service, operation.method, target, '', headers);
          expect({ target, status }).toEqual({ target, status: 400 });
          expect(JSON.parse(text)).toEqual(expect.objectContaining({ code: 'request-invalid' }));
        }
      }
    }
  });

  test('takes no body that would have to be unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000)).toString('latin1');
    for (const operation of await operationsOf(service)) {
      if (!['POST', 'PUT', 'PATCH'].includes(operation.method)) continue;
      const path = operation.path.replace(/\{\w+\}/g, 'ab'.repeat(32));
      for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity']) {
        const headers = { ...asAdmin(operation), 'Content-Encoding': encoding };
        const { status, text } = await raw(service, operation.method, path, bomb, headers);
        expect({ ...operation, status }).toEqual({ ...operation, status: 400 });
        expect(text).toContain('the body is compressed');
      }
    }
  });

  test('withstands headers without measure', async () => {
    const authorization = { Authorization: `Bearer ${'a'.repeat(9000)}` };
    expect((await raw(service, 'GET', '/v1/tokens', '', authorization)).status).toBe(401);
    const large = { 'X-Large': 'a'.repeat(40_000) };
    expect((await raw(service, 'GET', '/livez', '', large)).status).toBe(431);
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`X-${i}`, '']));
    expect((await raw(service, 'GET', '/livez', '', many)).status).toBeLessThan(500);
  });
});
