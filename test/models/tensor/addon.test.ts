import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { hasAddon, nativeFunction } from '../../../models/tensor/addon.js';
import { inNewProcess } from './new-process.js';

describe('the native addon', () => {
  test('is found from the compiled files', () => {
    expect(hasAddon()).toBe(true);
  });

  test('sets the number of threads and says how many there were', () => {
    const before = nativeFunction('threadCount')();
    expect(nativeFunction('setThreadCount')(3)).toBe(before);
    expect(nativeFunction('threadCount')()).toBe(3);
    nativeFunction('setThreadCount')(before);
  });

  test('tells how to build it again when a function is missing', () => {
    // @ts-expect-error: a name that is not declared.
    expect(() => nativeFunction('noSuchFunction')).toThrow(/noSuchFunction.*make build/);
  });

  test('refuses an argument of the wrong type with an error that names the function', () => {
    // @ts-expect-error: an argument of another type.
    expect(() => nativeFunction('setThreadCount')('three')).toThrow(
      'setThreadCount: count must be a number, found a string',
    );
  });
});

test('threads of the native addon outlive the only thread that loaded it', () => {
  const addon = fileURLToPath(new URL('../../../models/tensor/addon.js', import.meta.url));
  const body = `
    import(${JSON.stringify(addon)}).then(({ nativeFunction }) => {
      nativeFunction('setThreadCount')(4);
      nativeFunction('vectorExp')(new Float32Array(1e6), new Float32Array(1e6));
      process.exit();
    });`;
  const script = `
    import { Worker } from 'node:worker_threads';
    for (let i = 0; i < 3; i++)
      await new Promise((ended) => new Worker(${JSON.stringify(body)}, { eval: true }).on('exit', ended));
    console.log('done');`;
  const options = ['--no-warnings', '--input-type=module', '--eval', script];
  expect(execFileSync(process.execPath, options, { encoding: 'utf8' })).toBe('done\n');
});

describe('a package whose native addon', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tacet-addon-'));
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    for (const path of ['models/tensor/addon.js', 'proto/errors.js']) {
      cpSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), join(root, path));
    }
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const outcome = () => inNewProcess(join(root, 'models/tensor/addon.js'), "nativeFunction('isa')");

  test('is not built says how to build it', () => {
    expect(outcome()).toEqual({
      code: 'addon-missing',
      message: expect.stringMatching(
        /is not built: build it with `make build`, or set TACET_BACKEND=cpu/,
      ),
    });
  });

  test('does not load says why, and how to build it from scratch', () => {
    mkdirSync(join(root, 'build', 'Release'), { recursive: true });
    writeFileSync(join(root, 'build', 'Release', 'tacet.node'), 'no addon');
    expect(outcome()).toEqual({
      code: 'addon-missing',
      message: expect.stringMatching(
        /cannot be loaded \(.*tacet\.node.*\): .*`rm -r build && make build`/,
      ),
    });
  });
});
