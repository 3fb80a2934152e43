import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FigureFiles } from '../../../study/report/figure-files.js';

test('files of figures are written below a folder, with those that are missing', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tacet-figures-'));
  const files = new FigureFiles(join(root, 'figures'));
  await files.write('first/table.md', 'one');
  expect(await readFile(join(root, 'figures', 'first', 'table.md'), 'utf8')).toBe('one');
  expect(files.names).toEqual(['first/table.md']);
  await rm(root, { recursive: true });
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('files of figures are refused where a file system takes no folder', async () => {
  await expect(new FigureFiles('/proc/tacet').write('figures/a.md', '')).rejects.toMatchObject({
    code: 'file-unwritable',
  });
});
