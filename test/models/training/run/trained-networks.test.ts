import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeSafetensors } from '../../../../models/bundle/safetensors.js';
import { loadNetworks, saveNetworks } from '../../../../models/training/run/trained-networks.js';

const ONE = { shape: [1], data: Float32Array.of(7) };

let directory = '';
const at = (name: string) => path.join(directory, name);
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tacet-networks-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** A run of one array under that name. */
async function runOf(key: string): Promise<void> {
  await writeFile(at('networks.json'), '{}');
  await writeFile(at('networks.safetensors'), writeSafetensors(Object.fromEntries([[key, ONE]])));
}

describe('the networks of a run', () => {
  test('are read as they were written', async () => {
    const networks = {
      configs: { adversary: { units: 2 } },
      weights: { adversary: { 'bilstm/kernel': ONE, bias: ONE } },
    };
    await saveNetworks(directory, networks);
    expect(await loadNetworks(directory)).toEqual(networks);
  });

  test('come to nothing else, whatever a file calls them', async () => {
    await runOf('__proto__/polluted');
    const { weights } = await loadNetworks(directory);
    expect({}).not.toHaveProperty('polluted');
    expect(Object.keys(weights)).toEqual(['__proto__']);
  });

  test.each(['bias', '/bias'])('are none where a file holds %s', async (key) => {
    await runOf(key);
    await expect(loadNetworks(directory)).rejects.toMatchObject({
      code: 'checkpoint-invalid',
      message: expect.stringContaining(`networks.safetensors holds "${key}"`),
    });
  });
});
