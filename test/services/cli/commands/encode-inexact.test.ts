import { expect, test } from '@jest/globals';
import type { WrittenFormat } from '../../../../models/text/corpus/format.js';
import { writeCorpus } from '../../../../models/text/corpus/write-corpus.js';
import { notesWithRest } from '../../institution/notes.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

const site = publishedSite();

test.each<[WrittenFormat, (stdout: string) => void]>([
  [
    'conll',
    (stdout) => expect(stdout).toMatch(/inexact {4}12 documents are of a format that parts/),
  ],
  ['jsonl', (stdout) => expect(stdout).not.toContain('inexact')],
])(
  'encoding says how many files decide themselves where sentences stand: %s',
  async (format, told) => {
    const notes = site.at(`notes.${format}`);
    await writeCorpus(notesWithRest(12, 2), notes, format);
    const { representation, embeddingsFile, publicKeyFile } = site.publisher;
    const model = ['--model', representation, '--embeddings', embeddingsFile];
    const home = ['--new-home', site.at(format), '--dry-run'];
    const run = await capturedRun('encode', notes, ...model, '--trust', publicKeyFile, ...home);
    expect(run.exit).toBe(0);
    told(run.stdout);
  },
);
