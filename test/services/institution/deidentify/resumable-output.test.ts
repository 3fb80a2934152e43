import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ResumableOutput } from '../../../../services/institution/deidentify/resumable-output.js';

describe('an output of documents', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-output-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const opened = (path: string, resume = false) => ResumableOutput.open(path, 'text', {}, resume);

  test.each([false, true])(
    'is not begun, nor gone on with, where a file stands instead of its folder: %s',
    async (resume) => {
      const path = join(root, `file-${resume}`);
      const begun = await opened(path);
      await begun.write({ id: 'a', text: 'A.', spans: [] });
      await begun.abandon();
      await rm(path, { recursive: true });
      await writeFile(path, '');
      await expect(opened(path, resume)).rejects.toMatchObject({
        code: 'file-exists',
        message: `${path}: a file, where a folder of documents would be written; choose another place`,
      });
      expect((await stat(path)).isFile()).toBe(true);
    },
  );

  test('is not said to be interrupted where something else has the name of that', async () => {
    const [file, folder] = [join(root, 'one'), join(root, 'two')];
    await writeFile(`${file}.unfinished`, '');
    await mkdir(`${folder}.unfinished`);
    for (const path of [file, folder])
      await expect(opened(path)).rejects.toMatchObject({
        code: 'file-exists',
        message: expect.stringMatching(/\.unfinished: no interrupted output, .*; remove it, or /),
      });
  });

  test.each([false, true])(
    'is written by one at a time, and goes on where another was refused (resume %s)',
    async (resume) => {
      const path = join(root, `busy-${resume}.jsonl`);
      const open = (again: boolean, settings = {}) =>
        ResumableOutput.open(path, 'jsonl', settings, again);
      const first = await open(false);
      first.isDone('a');
      await first.write({ id: 'a', text: 'A.', spans: [] });
      await expect(open(resume, { policy: 'mask' })).rejects.toMatchObject({
        code: 'run-busy',
        message: `another process works in ${path}.unfinished; let it end, or stop it`,
      });
      first.isDone('b');
      await first.write({ id: 'b', text: 'B.', spans: [] });
      await first.finish();
      expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(2);
    },
  );

  test('that was refused or left can be gone on with', async () => {
    const path = join(root, 'left');
    const first = await opened(path);
    await first.write({ id: 'a', text: 'A.', spans: [] });
    expect(await first.abandon()).toBe(true);
    const other = ResumableOutput.open(path, 'text', { policy: 'mask' }, true);
    await expect(other).rejects.toMatchObject({ code: 'conflict' });
    await (await opened(path, true)).finish();
    expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('A.');
  });
});
