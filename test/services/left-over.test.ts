import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'tacet-left-over-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a test that fails leaves no server, in its process or another, and Jest ends', async () => {
  const addresses = join(folder, 'addresses.json');
  const jest = spawn(
    process.execPath,
    [
      ...['--no-warnings', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
      ...['--runInBand', '--reporters', 'default'],
      ...['--testMatch', '<rootDir>/dist/test/services/left-over.fixture.js'],
    ],
    {
      cwd: ROOT,
      stdio: 'ignore',
      env: { ...process.env, NODE_OPTIONS: '', TMPDIR: folder, ADDRESSES: addresses },
    },
  );
  const [code] = await once(jest, 'exit');
  expect(code).toBe(1);
  const started: string[] = JSON.parse(readFileSync(addresses, 'utf8'));
  expect(started).toHaveLength(2);
  for (const address of started) await expect(fetch(`${address}/livez`)).rejects.toThrow();
});
