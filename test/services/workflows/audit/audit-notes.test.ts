import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { generateNotes } from '../../../../models/synthetic/generate-notes.js';
import { writeCorpus } from '../../../../models/text/corpus/write-corpus.js';
import { readAuditNotes } from '../../../../services/workflows/audit/audit-notes.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tacet-audit-notes-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('folders of one name are institutions of their own', async () => {
  const [first, second] = generateNotes({ seed: 1, documents: 2 });
  const at = (institution: string) => path.join(directory, institution, 'notes');
  for (const [institution, note] of [['north', first] as const, ['south', second] as const]) {
    await mkdir(path.dirname(at(institution)));
    await writeCorpus(note ? [note] : [], at(institution), 'i2b2');
  }
  const corpus = [at('north'), at('south')];
  const { institutions } = await readAuditNotes({ corpus }, new AbortController().signal);
  expect([...(institutions?.values() ?? [])]).toEqual(['north/notes', 'south/notes']);
});
