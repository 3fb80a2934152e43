import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readJsonFile } from '../../../platform/files/json-file.js';

describe('a file of JSON', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-json-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const options = { what: 'plan', code: 'config-invalid', expected: 'a plan in JSON' } as const;

  test('gives its value, also after a byte order mark', async () => {
    await writeFile(join(root, 'plan.json'), '\ufeff{"runs": []}');
    expect(await readJsonFile(join(root, 'plan.json'), options)).toEqual({ runs: [] });
  });

  test('that is missing is named by what it should be', async () => {
    await expect(readJsonFile(join(root, 'none.json'), options)).rejects.toMatchObject({
      code: 'file-not-found',
      message: expect.stringContaining('none.json: no such plan'),
    });
  });

  test('that holds something else is refused without a word of its text', async () => {
    await writeFile(join(root, 'note.txt'), 'Ana was born in Toledo');
    const error: unknown = await readJsonFile(join(root, 'note.txt'), options).catch(
      (found: unknown) => found,
    );
    expect(error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('expected a plan in JSON'),
    });
    expect(inspect(error, { depth: 9 })).not.toMatch(/Ana|Toledo/);
  });
});
