import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { notesWithRest } from '../../institution/notes.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

const site = publishedSite();

async function encode(named: string, count: number, ...more: string[]) {
  return encodeAt(await writeNotes(`${named}.jsonl`, named, count), ...more);
}

async function writeNotes(name: string, named: string, count: number): Promise<string> {
  const file = site.at(name);
  const notes = notesWithRest(count, 2, named).map(({ id, text, spans }) => ({
    ...{ id, text, spans: spans.map(({ type: label, ...place }) => ({ label, ...place })) },
  }));
  await writeFile(file, notes.map((note) => JSON.stringify(note)).join('\n'));
  return file;
}

function encodeAt(notes: string, ...more: string[]) {
  const { representation, embeddingsFile, publicKeyFile } = site.publisher;
  const model = ['--model', representation, '--embeddings', embeddingsFile];
  return capturedRun('encode', notes, ...model, '--trust', publicKeyFile, ...more);
}

test('encoding the same notes again ends with status 0 and says what stays, fewer new notes with 4', async () => {
  const home = site.at('home');
  const first = await encode('alpha', 12, '--new-home', home);
  expect(first).toMatchObject({ exit: 0, stdout: expect.not.stringContaining('rest ') });
  for (const more of [[], ['--dry-run']]) {
    const again = await encode('alpha', 12, '--home', home, ...more);
    expect(again).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(
        /2 withheld.*\nrest {7}2 of those withheld are of notes that left before: they stay, since too few notes have labels like theirs/,
      ),
    });
  }
  expect(await encode('gamma', 3, '--home', home)).toMatchObject({
    exit: 4,
    stderr: expect.stringContaining('documents-too-few'),
  });
});

test('encoding a folder says how many of its files are not read, and nothing of their names', async () => {
  await mkdir(site.at('folder'));
  await writeNotes('folder/notes.jsonl', 'delta', 12);
  for (const name of ['Kowalska.rtf', 'notes.Kowalska'])
    await writeFile(site.at(`folder/${name}`), 'Seen.');
  const { exit, stderr } = await encodeAt(site.at('folder'), '--new-home', site.at('other'));
  expect([exit, stderr]).toEqual([
    0,
    expect.stringMatching(/left out 2 files whose endings are of/),
  ]);
  expect(stderr).not.toMatch(/kowalska/i);
});
