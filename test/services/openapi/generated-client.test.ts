import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Servers } from '../../../services/cli/servers.js';
import { ROOT } from '../../shared-data.js';
import { describedBy } from '../described.js';
import { createWorld, serve, type World } from '../world.js';

const run = promisify(execFile);

/** What a stranger writes with nothing but the types. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './pool.js';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const pool = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } });

const made = await pool.POST('/v1/tokens', { body: { role: 'consumer', name: 'trainer' } });
const tokens = await pool.GET('/v1/tokens');
const names: string[] = (tokens.data ?? []).map(({ name }: components['schemas']['Token']) => name);
const totals = await pool.GET('/v1/statistics');
const sentences: number = totals.data?.sentences ?? -1;
const missing = await pool.GET('/v1/snapshots/{id}', { params: { path: { id: 'ab'.repeat(32) } } });
const code: string | undefined = missing.error?.code;
console.log(JSON.stringify({ isMade: made.data?.token !== undefined, names, sentences, code }));
`;
const MISTAKE = `
import createClient from 'openapi-fetch';
import type { paths } from './pool.js';

const pool = createClient<paths>({ baseUrl: '' });
await pool.POST('/v1/tokens', { body: { role: 'nobody', name: 'trainer' } });
`;

let world: World;
let servers: Servers;
let folder: string;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  folder = mkdtempSync(join(tmpdir(), 'tacet-client-'));
  const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  file('package.json', '{"type":"module"}');
  file('pool.json', JSON.stringify(await describedBy(servers.addresses.pool ?? '')));
  file('client.ts', CLIENT);
  file('mistake.ts', MISTAKE);
  await run(process.execPath, [
    '--no-warnings',
    join(ROOT, 'dist/test/services/openapi/generate-types.js'),
    join(folder, 'pool.json'),
    join(folder, 'pool.ts'),
  ]);
});
afterAll(async () => {
  await servers.close();
  world.remove();
  rmSync(folder, { recursive: true, force: true });
});

const compile = (source: string) =>
  run(
    process.execPath,
    [
      ...[join(ROOT, 'node_modules/typescript/bin/tsc'), '--strict', '--skipLibCheck'],
      ...['--target', 'ES2022', '--module', 'NodeNext', '--types', 'node', source],
    ],
    { cwd: folder },
  );

test('a client whose types come from the document is checked, and talks to the server', async () => {
  await compile('client.ts');
  const { stdout } = await run(process.execPath, [
    join(folder, 'client.js'),
    servers.addresses.pool ?? '',
    world.tokens.admin,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    isMade: true,
    names: expect.arrayContaining(['trainer', 'institution']),
    sentences: 0,
    code: 'not-found',
  });
});

test('what the document does not take is a mistake to the compiler', async () => {
  await expect(compile('mistake.ts')).rejects.toMatchObject({
    stdout: expect.stringContaining('\'"nobody"\' is not assignable'),
  });
});
