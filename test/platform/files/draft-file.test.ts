import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DraftFile, writeAtomically } from '../../../platform/files/draft-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tacet-draft-'));
});
afterAll(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a draft', () => {
  test('leaves the older file as it is until it is put in its place', async () => {
    const path = join(folder, 'older');
    await writeFile(path, 'old', { mode: 0o644 });
    const draft = await DraftFile.create(path, { isPrivate: true });
    await draft.write('ne');
    await draft.write([Buffer.from('w'), Buffer.from('er')]);
    expect(await readFile(path, 'utf8')).toBe('old');
    await draft.commit();
    await draft.discard();
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['newer', 0o600]);
    expect(await readdir(folder)).toEqual(['older']);
  });

  test('may be written in another folder, where one file more would do no harm', async () => {
    const sealed = join(folder, 'sealed');
    await mkdir(sealed);
    const draft = await DraftFile.create(join(sealed, 'file'), { draftIn: folder });
    expect(await readdir(sealed)).toEqual([]);
    await draft.commit();
    expect(await readdir(sealed)).toEqual(['file']);
  });
});

describe('a file that is written atomically', () => {
  test('makes its folder, for the owner alone where the file is', async () => {
    const path = join(folder, 'private', 'state.json');
    await writeAtomically(path, '{}', { isPrivate: true });
    expect(await modeOf(join(folder, 'private'))).toBe(0o700);
    expect(await modeOf(path)).toBe(0o600);
  });

  test('is not there where it was aborted, and nothing else is', async () => {
    const controller = new AbortController();
    function* parts() {
      yield Buffer.from('half');
      controller.abort(new Error('enough'));
      yield Buffer.from('never');
    }
    const path = join(folder, 'aborted', 'file');
    const writing = writeAtomically(path, parts(), { signal: controller.signal });
    await expect(writing).rejects.toThrow('enough');
    expect(await readdir(join(folder, 'aborted'))).toEqual([]);
  });

  test('says where it cannot be, and what to do', async () => {
    const below = join(folder, 'plain');
    await writeFile(below, '');
    await expect(
      writeAtomically(join(below, 'deep', 'file'), '', { advice: 'use a folder' }),
    ).rejects.toMatchObject({
      code: 'file-unwritable',
      message: expect.stringMatching(/plain\/deep\/file: .*; use a folder$/),
    });
  });
});
