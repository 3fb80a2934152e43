import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordFiles } from '../../../services/workflows/record-files.js';

const NOBODY = 65534;

describe('the files of health records', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-records-'));
    await chmod(root, 0o755);
    for (const folder of ['b', 'locked', 'a.json']) await mkdir(join(root, folder));
    for (const file of ['z.json', 'b/c.ndjson', 'b/d.txt', 'a.json/e.JSON.gz', 'locked/f.json'])
      await writeFile(join(root, file), '');
    await symlink('..', join(root, 'b', 'up'));
    await symlink('nowhere', join(root, 'gone.json'));
  });
  afterAll(async () => {
    await chmod(join(root, 'locked'), 0o700);
    await rm(root, { recursive: true });
  });

  /** Root may list whatever it likes. */
  const asNobody = async <T>(work: () => Promise<T>): Promise<T> => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      return await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  };

  test('are those of all folders, in order, each once, whatever folders are called', async () => {
    expect(await recordFiles(root, 'fhir')).toEqual([
      join('a.json', 'e.JSON.gz'),
      join('b', 'c.ndjson'),
      'gone.json',
      join('locked', 'f.json'),
      'z.json',
    ]);
    expect(await recordFiles(join(root, 'z.json'), 'fhir')).toEqual(['']);
    await expect(recordFiles(root, 'cda')).rejects.toMatchObject({ code: 'record-invalid' });
  });

  test('leave out a folder that cannot be listed, where somebody is told, and else end there', async () => {
    await chmod(join(root, 'locked'), 0);
    const told: [name: string, code: string][] = [];
    const files = await asNobody(() =>
      recordFiles(root, 'fhir', ({ code }, name) => told.push([name, code])),
    );
    expect(files).not.toContain(join('locked', 'f.json'));
    expect(files).toContain('z.json');
    expect(told).toEqual([['locked', 'file-unreadable']]);
    await expect(asNobody(() => recordFiles(root, 'fhir'))).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('locked'),
    });
    await expect(
      asNobody(() => recordFiles(join(root, 'locked'), 'fhir', () => undefined)),
    ).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('are files: a pipe, which may let one wait for ever, is left out or ends it', async () => {
    const folder = join(root, 'piped');
    await mkdir(folder);
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    const told: [name: string, code: string][] = [];
    expect(await recordFiles(folder, 'fhir', ({ code }, name) => told.push([name, code]))).toEqual(
      [],
    );
    expect(told).toEqual([['pipe.json', 'file-unreadable']]);
    await expect(recordFiles(folder, 'fhir')).rejects.toMatchObject({ code: 'file-unreadable' });
    await rm(folder, { recursive: true });
  });
});
