import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));
const OTHERS = 0o077;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tacet-modes-'));
});
afterAll(() => rm(root, { recursive: true }));

/** In a shell whose umask lets everybody read. */
async function tacet(...words: string[]): Promise<void> {
  const command = ['umask 0; exec "$@"', 'sh', process.execPath, '--no-warnings', MAIN, ...words];
  await promisify(execFile)('sh', ['-c', ...command], { cwd: root });
}

test('what a command writes is its owner’s alone, whatever the umask', async () => {
  await tacet('corpus', 'generate', 'notes', '--documents', '3', '--format', 'brat');
  await tacet('inventory', 'create', 'i.json', '--scheme', 'synthetic', '--corpus', 'notes');
  await tacet('keys', 'create', 'keys');
  const written = await readdir(root, { recursive: true });
  expect(written).toEqual(expect.arrayContaining(['notes', 'i.json', 'keys', 'keys/public.pem']));
  for (const name of written) {
    const { mode } = await stat(join(root, name));
    expect([name, mode & OTHERS]).toEqual([name, 0]);
  }
});
