import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { createFolder } from '../../../platform/files/durable-folder.js';
import { makeFolders } from '../../../platform/files/make-folders.js';

const root = mkdtempSync(join(tmpdir(), 'tacet-folders-'));
afterAll(() => rmSync(root, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('makeFolders', () => {
  test('makes what is missing above a folder, too, with one mode', () => {
    const path = join(root, 'a', 'b', 'c');
    makeFolders(path, 0o700);
    for (const made of [path, join(root, 'a', 'b'), join(root, 'a')])
      expect(modeOf(made)).toBe(0o700);
  });

  test('leaves a folder that is there, or a link to one, as it is', () => {
    makeFolders(join(root, 'there'), 0o700);
    symlinkSync('there', join(root, 'link'));
    for (const path of ['there', 'there/', 'link']) makeFolders(join(root, path), 0o755);
    expect(modeOf(join(root, 'there'))).toBe(0o700);
    makeFolders(join(root, 'link', 'below'));
    expect(statSync(join(root, 'there', 'below')).isDirectory()).toBe(true);
  });

  test('throws what the system says where a file is in the way, or a link that leads nowhere', () => {
    writeFileSync(join(root, 'file'), '');
    symlinkSync('nowhere', join(root, 'dangling'));
    expect(refusalOf(() => makeFolders(join(root, 'file')))).toBe('EEXIST');
    expect(refusalOf(() => makeFolders(join(root, 'file', 'below')))).toBe('ENOTDIR');
    expect(refusalOf(() => makeFolders(join(root, 'dangling', 'below')))).toBe('EEXIST');
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('ends where a file system takes no folder, and people are told so', async () => {
    expect(refusalOf(() => makeFolders('/proc/tacet/below'))).toBe('ENOENT');
    const refusal = {
      code: 'file-unwritable',
      message: expect.stringMatching(/^\/proc\/tacet\/.*its folder is missing and cannot be made/),
    };
    await expect(writeAtomically('/proc/tacet/file', '')).rejects.toMatchObject(refusal);
    const making = createFolder('/proc/tacet/below/folder', async () => {});
    await expect(making).rejects.toMatchObject(refusal);
  });
});

function refusalOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
  return undefined;
}
