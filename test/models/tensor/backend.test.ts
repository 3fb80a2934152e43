import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { precisionInUse, useBackend } from '../../../models/tensor/backend.js';
import * as tf from '../../../models/tensor/tf.js';
import { inNewProcess } from './new-process.js';

describe('useBackend', () => {
  const chosen = process.env.TACET_BACKEND;

  afterEach(() => {
    if (chosen === undefined) delete process.env.TACET_BACKEND;
    else process.env.TACET_BACKEND = chosen;
  });

  test('runs native unless the environment or the caller says otherwise', async () => {
    delete process.env.TACET_BACKEND;
    expect(await useBackend()).toBe('native');
    expect(tf.getBackend()).toBe('native');
    process.env.TACET_BACKEND = 'cpu';
    expect(await useBackend()).toBe('cpu');
    expect(await useBackend('native')).toBe('native');
    expect(tf.getBackend()).toBe('native');
  });

  test('an unknown name is a usage error that lists the names', async () => {
    await expect(useBackend('metal')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('native, cpu, tensorflow'),
    });
  });

  test('asking for tensorflow without its package says what to install', async () => {
    await expect(useBackend('tensorflow')).rejects.toMatchObject({
      code: 'backend-missing',
      message: expect.stringContaining('npm install @tensorflow/tfjs-node'),
    });
  });

  test('computes in bfloat16 only where the environment or the caller says so', async () => {
    const has = nativeFunction('hasBfloat16')();
    await useBackend('native');
    expect(precisionInUse()).toBe('float32');
    process.env.TACET_PRECISION = 'bfloat16';
    try {
      if (has) {
        await useBackend('native');
        expect(precisionInUse()).toBe('bfloat16');
      }
      await expect(useBackend('cpu')).rejects.toMatchObject({ code: 'backend-missing' });
      await useBackend('native', 'float32');
      expect(precisionInUse()).toBe('float32');
    } finally {
      delete process.env.TACET_PRECISION;
    }
    await expect(useBackend('native', 'half')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('float32, bfloat16'),
    });
  });

  test('moves tensors between backends', async () => {
    await useBackend('cpu');
    const tensor = tf.tensor1d([1, 2]);
    await useBackend('native');
    expect([...tensor.add(1).dataSync()]).toEqual([2, 3]);
    tensor.dispose();
  });
});

test('the tensor library is built into one file, under its licences', () => {
  const file = new URL('../../../models/tensor/tensor-library.js', import.meta.url);
  const built = readFileSync(file, 'utf8');
  const imported = built.matchAll(/^(?:.*\*\/ )?import .* from ['"]([^'"]+)['"]/gm);
  expect([...imported].map(([, name]) => name)).toEqual(['node:module']);
  for (const named of ['Apache License', 'Copyright 2019 David Bau', '2010 by Johannes Baag'])
    expect(built).toContain(named);
});

describe('the tensorflow backend, of a package that is installed', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tacet-backend-'));
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    for (const path of ['models/tensor', 'proto/errors.js']) {
      const from = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
      cpSync(from, join(root, path), { recursive: true });
    }
    const packages = join(root, 'node_modules', '@tensorflow');
    mkdirSync(packages, { recursive: true });
    // Of the package alone: what is built has a copy of its own.
    const main = fileURLToPath(import.meta.resolve('@tensorflow/tfjs-core'));
    symlinkSync(join(dirname(main), '..'), join(packages, 'tfjs-core'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const outcome = (peer: string, source: string) => {
    const directory = join(root, 'node_modules', '@tensorflow', peer);
    mkdirSync(directory);
    writeFileSync(join(directory, 'package.json'), '{ "type": "module", "main": "index.js" }');
    writeFileSync(join(directory, 'index.js'), source);
    return inNewProcess(join(root, 'models/tensor/backend.js'), "useBackend('tensorflow')");
  };

  test('runs', () => {
    const registers = `import { findBackend, registerBackend } from '@tensorflow/tfjs-core';
      registerBackend('tensorflow', () => findBackend('cpu'));`;
    expect(outcome('tfjs-node', registers)).toEqual({ value: 'tensorflow' });
  });

  test.each([
    ['does not start', "throw new Error('libcudart is missing\\nstack')", 'libcudart is missing'],
    ['lacks a package of its own', "import 'no-such-package'", 'no-such-package'],
    ['lacks a file of its own', "import './missing.js'", 'missing.js'],
  ])('says why it does not load where it %s', (_, source, reason) => {
    const { code, message } = outcome('tfjs-node-gpu', source);
    expect(code).toBe('backend-missing');
    expect(message).toContain('@tensorflow/tfjs-node-gpu is installed but does not load (');
    expect(message).toContain(reason);
    expect(message).not.toContain('stack');
  });
});
