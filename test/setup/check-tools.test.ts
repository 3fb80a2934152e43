import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ROOT } from '../shared-data.js';

const SCRIPT = join(ROOT, 'setup', 'check-tools');

describe('the check of tools', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tacet-tools-'));
    for (const name of ['node', 'npm', 'python3', 'make', 'g++']) tool(name, 'exit 0');
    nodeOf('24.1.0');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function tool(name: string, script: string) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const nodeOf = (version: string) => tool('node', `echo ${version}`);
  const without = (name: string) => rmSync(join(folder, name));

  /** With nothing on the path but the tools above. */
  function check(...args: string[]) {
    const { status, stderr } = spawnSync('/bin/sh', [SCRIPT, ...args], {
      env: { PATH: folder },
      encoding: 'utf8',
    });
    return { status, lines: stderr.split('\n').filter(Boolean) };
  }

  test('is silent where nothing is missing', () => {
    expect(check()).toEqual({ status: 0, lines: [] });
  });

  test.each(['20.19.0', '20.20.2', '22.0.0', '26.10.0'])('accepts Node %s', (version) => {
    nodeOf(version);
    expect(check('--node')).toEqual({ status: 0, lines: [] });
  });

  test.each(['18.20.8', '20.18.3', '8.17.0'])(
    'refuses Node %s and says which it needs',
    (version) => {
      nodeOf(version);
      for (const args of [[], ['--node']]) {
        const { status, lines } = check(...args);
        expect(status).toBe(1);
        expect(lines).toEqual([expect.stringContaining(`${version} is too old: install 20.19`)]);
      }
    },
  );

  test.each([
    ['node', 'node is missing: install Node.js 20.19 or later'],
    ['npm', 'npm is missing'],
    ['python3', 'python3 is missing: node-gyp needs it'],
    ['make', 'make is missing'],
    ['g++', 'a C++ compiler is missing, here g++'],
  ])('names %s where it is missing', (name, message) => {
    without(name);
    const { status, lines } = check();
    expect(status).toBe(1);
    expect(lines).toEqual([expect.stringContaining(message)]);
  });

  test('names all that is missing at once', () => {
    without('python3');
    without('g++');
    nodeOf('18.0.0');
    expect(check().lines).toHaveLength(3);
  });

  test('refuses a compiler that knows no C++20', () => {
    tool('g++', 'exit 1');
    expect(check().lines).toEqual([expect.stringContaining('g++ does not compile C++20')]);
  });

  test('accepts this machine', () => {
    rmSync(join(folder, 'node'));
    symlinkSync(process.execPath, join(folder, 'node'));
    expect(check('--node')).toEqual({ status: 0, lines: [] });
  });
});
