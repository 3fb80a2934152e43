import { writeFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { notesWithRest } from '../../institution/notes.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

const site = publishedSite();

async function encode(named: string, count: number, ...more: string[]) {
  const file = site.at(`${named}.jsonl`);
  const notes = notesWithRest(count, 2, named).map(({ id, text, spans }) => ({
    ...{ id, text, spans: spans.map(({ type: label, ...place }) => ({ label, ...place })) },
  }));
  await writeFile(file, notes.map((note) => JSON.stringify(note)).join('\n'));
  const { representation, embeddingsFile, publicKeyFile } = site.publisher;
  const model = ['--model', representation, '--embeddings', embeddingsFile];
  return capturedRun('encode', file, ...model, '--trust', publicKeyFile, ...more);
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
