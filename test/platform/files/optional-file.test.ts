import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bytesIfThere, textIfThere } from '../../../platform/files/optional-file.js';

describe('a file that need not be there', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-optional-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  test('gives what it holds', async () => {
    await writeFile(join(root, 'there'), 'año');
    expect(await textIfThere(join(root, 'there'))).toBe('año');
    expect(await bytesIfThere(join(root, 'there'))).toEqual(Buffer.from('año'));
  });

  test('gives nothing where it is missing', async () => {
    expect(await bytesIfThere(join(root, 'missing'))).toBeUndefined();
    expect(await textIfThere(join(root, 'missing'))).toBeUndefined();
    expect(await bytesIfThere(join(root, 'there', 'missing'))).toBeUndefined();
  });

  test('is not taken for missing where it cannot be read', async () => {
    await mkdir(join(root, 'folder'));
    const file = join(root, 'folder');
    for (const read of [bytesIfThere, textIfThere])
      await expect(read(file)).rejects.toMatchObject({
        code: 'file-unreadable',
        message: expect.stringContaining(file),
      });
  });
});
