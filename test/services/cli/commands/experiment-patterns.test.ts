import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { capturedRun } from '../captured-run.js';

test('tacet experiment patterns says of each pattern what it finds, and quotes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tacet-'));
  try {
    const notes = join(folder, 'notes.jsonl');
    const spans = [{ start: 5, end: 13, label: 'DATE' }];
    await writeFile(notes, JSON.stringify({ text: 'Seen 05/03/18, MRN 1234567.', spans }));
    const { exit, stdout } = await capturedRun('experiment', 'patterns', notes);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/DateRecognizer: with a year of two digits +1 +1 +100\.0 %/);
    expect(stdout).toMatch(/MedicalRecordRecognizer: .* +1 +0 +0\.0 %/);
    expect(stdout).not.toMatch(/1234567|05\/03/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
