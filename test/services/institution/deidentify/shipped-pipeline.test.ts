import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { capturedRun } from '../../cli/captured-run.js';

const NOTE = `Discharge summary

Mr. Peter Collins was admitted to St. Mary's Hospital in Boston on 12 March 2021 with chest pain.
He was seen by Dr. Susan Harper, phone 617-555-0143, e-mail s.harper@stmarys.example.
Troponin was normal and he went home on aspirin.
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-shipped-'));
  await writeFile(path.join(folder, 'note.txt'), NOTE);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the pipeline that comes with the package takes names out of an English note, and leaves what is none', async () => {
  const before = process.env.XDG_DATA_HOME;
  process.env.XDG_DATA_HOME = path.join(folder, 'nobody');
  try {
    const { exit, stderr } = await capturedRun(
      ...['deidentify', path.join(folder, 'note.txt'), path.join(folder, 'clean')],
    );
    expect([exit, stderr]).toEqual([0, expect.stringContaining('with the pipeline in ')]);
  } finally {
    if (before === undefined) delete process.env.XDG_DATA_HOME;
    else process.env.XDG_DATA_HOME = before;
  }
  const clean = await readFile(path.join(folder, 'clean', 'note.txt'), 'utf8');
  for (const phi of ['Collins', 'Harper', '12 March 2021', '555-0143', 'stmarys.example'])
    expect(clean).not.toContain(phi);
  for (const kept of ['chest pain', 'Troponin was normal', 'aspirin'])
    expect(clean).toContain(kept);
});
