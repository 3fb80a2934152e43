import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ROOT } from '../shared-data.js';

const SCRIPT = join(ROOT, 'setup', 'check-lock.js');

describe('the check of the lock file', () => {
  let folder: string;
  const manifest = { dependencies: { alpha: '^1.0.0' }, devDependencies: { beta: '^2.0.0' } };
  const packages = {
    'node_modules/alpha': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/beta': { version: '2.1.0', integrity: 'sha512-b' },
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tacet-lock-'));
    write('package.json', manifest);
    write('package-lock.json', {
      packages: {
        ...packages,
        '': manifest,
        'node_modules/other-platform': { version: '1.0.0', optional: true },
      },
    });
    install(packages);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  function install(found: Readonly<Record<string, { readonly version: string }>>) {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    for (const [path, { version }] of Object.entries(found)) {
      mkdirSync(join(folder, path), { recursive: true });
      write(join(path, 'package.json'), { version });
    }
    write('node_modules/.package-lock.json', { packages: found });
  }
  const check = (...args: string[]) =>
    spawnSync(process.execPath, [SCRIPT, folder, ...args], { encoding: 'utf8' });

  test('passes where package.json, the lock file and what is installed agree', () => {
    expect(check('--installed')).toMatchObject({ status: 0, stderr: '' });
  });

  test('refuses a package.json that the lock file was not made of', () => {
    write('package.json', { ...manifest, dependencies: { alpha: '^3.0.0', gamma: '1.0.0' } });
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr).toContain(
      'dependencies alpha: package.json says "^3.0.0", package-lock.json "^1.0.0"',
    );
    expect(stderr).toContain(
      'dependencies gamma: package.json says "1.0.0", package-lock.json nothing',
    );
    expect(stderr).toContain('npm install --package-lock-only');
  });

  test.each([
    [
      'another version',
      { 'node_modules/beta': { version: '2.2.0', integrity: 'sha512-b' } },
      'node_modules/beta: expected 2.1.0, found 2.2.0',
    ],
    [
      'other bytes',
      { 'node_modules/beta': { version: '2.1.0', integrity: 'sha512-x' } },
      'node_modules/beta 2.1.0: expected sha512-b, found sha512-x',
    ],
    [
      'a package too many',
      { 'node_modules/gamma': { version: '1.0.0', integrity: 'sha512-c' } },
      'node_modules/gamma 1.0.0: not in the lock file',
    ],
  ])('refuses %s in node_modules', (_, drifted, message) => {
    install({ ...packages, ...drifted });
    const { status, stderr } = check('--installed');
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  test('refuses a package too few in node_modules', () => {
    install({ 'node_modules/alpha': packages['node_modules/alpha'] });
    expect(check('--installed').stderr).toContain('node_modules/beta: expected 2.1.0, it is not');
  });

  test('passes over what npm was asked for beside the lock file: a peer', () => {
    const peer = { version: '4.0.0', integrity: 'sha512-p', peer: true };
    install({ ...packages, 'node_modules/peer': peer });
    expect(check('--installed').status).toBe(0);
  });
});
