import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeOthers, otherFiles } from '../../../../models/text/corpus/other-files.js';

describe('files that are not read', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tacet-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (...names: readonly string[]) => {
    for (const name of names) writeFileSync(join(folder, name), 'text');
  };

  test('are those of other endings, below too, and neither hidden ones nor folders', async () => {
    mkdirSync(join(folder, 'below.rtf'));
    mkdirSync(join(folder, '.git'));
    write('a.txt', 'a.ann', 'b.XML', 'c.jsonl.gz', '.DS_Store', '.git/config');
    expect(await otherFiles(folder)).toBe(0);
    write('d.rtf', 'README', 'below.rtf/e.md', 'below.rtf/f.docx.gz', 'below.rtf/g.txt');
    symlinkSync(folder, join(folder, 'below.rtf', 'round'));
    symlinkSync(join(folder, 'd.rtf'), join(folder, 'link.rtf'));
    expect(await otherFiles(folder)).toBe(5);
    expect(await otherFiles(folder, (name) => name.endsWith('.rtf'))).toBe(8);
  });

  const asOther = process.getuid?.() === 0 ? test.skip : test;
  asOther('are counted beside a folder that cannot be listed', async () => {
    mkdirSync(join(folder, 'closed'), { mode: 0 });
    write('d.rtf');
    expect(await otherFiles(folder)).toBe(1);
  });

  test('are none of a file, or of what is not there', async () => {
    write('d.rtf');
    expect(await otherFiles(join(folder, 'd.rtf'))).toBe(0);
    expect(await otherFiles(join(folder, 'none'))).toBe(0);
  });

  test('are told by their number, and nothing of their names', () => {
    expect(describeOthers(0)).toBeUndefined();
    expect(describeOthers(1)).toMatch(
      /^left out 1 file whose ending is of no format that is read;/,
    );
    expect(describeOthers(2)).toMatch(/^left out 2 files whose endings are of no format that/);
  });
});
