import { writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { notesOfDistinctLengths } from '../../institution/notes.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

const site = publishedSite();
beforeAll(async () => {
  const notes = notesOfDistinctLengths(12);
  await writeFile(site.at('notes.jsonl'), notes.map((note) => JSON.stringify(note)).join('\n'));
  const publisherKeys = [site.publisher.publicKeyFile];
  const kept = { entities: 'kept', labelDocuments: 2 };
  const policy = { publisherKeys, maxReleases: 1, minDocuments: 1, ...kept };
  await writeFile(site.at('policy.json'), JSON.stringify(policy));
});

function encode(...more: string[]) {
  const { representation, embeddingsFile } = site.publisher;
  const model = ['--model', representation, '--embeddings', embeddingsFile];
  return capturedRun('encode', site.at('notes.jsonl'), ...model, ...more);
}

test.each([
  [[], 'sentences leave whole: who holds a note may know it by its labels alone'],
  [['--dry-run'], 'sentences leave whole: who holds a note may know it by its labels alone'],
])('encoding with entities kept says how labels leave: %j', async (more, said) => {
  const home = site.at(`home-${more.length}`);
  const kept = ['--entities', 'keep', '--trust', site.publisher.publicKeyFile];
  const { exit, stdout } = await encode(...kept, '--new-home', home, ...more);
  expect([exit, stdout]).toEqual([0, expect.stringContaining(said)]);
});

test('encoding with entities kept and sentences cut counts pieces and tokens that stay', async () => {
  const home = site.at('home-cut');
  const { exit, stdout } = await encode('--policy', site.at('policy.json'), '--new-home', home);
  expect([exit, stdout]).toEqual([
    0,
    expect.stringMatching(
      /of 2 notes at least in each piece: .* in \d+ pieces.*\d+ tokens left out/,
    ),
  ]);
});
