import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WrittenFormat } from '../../../../../models/text/corpus/format.js';
import { writeCorpus } from '../../../../../models/text/corpus/write-corpus.js';
import { readChunks } from '../../../../../services/institution/release/notes/note-source.js';
import { TWO_TYPES } from '../../two-types.js';

const TEXT = 'Seen by alpha.\nGiven beta.';
const NOTES = ['a', 'b'].map((id) => ({
  ...{ id, text: TEXT, spans: [{ type: 'PHI', start: 8, end: 13 }] },
}));

/** BioC in JSON whose first passage has its text in sentences. */
function biocOfSentences(): object {
  const document = (id: string, passages: object[]) => ({ id, annotations: [], passages });
  const sentences = [
    { offset: 0, text: 'Seen by alpha.' },
    { offset: 15, text: 'Given beta.' },
  ];
  const whole = { offset: 0, text: TEXT };
  return { documents: [document('a', [{ offset: 0, sentences }]), document('b', [whole])] };
}

const XML = `<?xml version="1.0"?><collection><source>s</source><document><id>a</id><passage><offset>0</offset>
<sentence><offset>0</offset><text>Seen by alpha.</text></sentence></passage></document><document><id>b</id>
<passage><offset>0</offset><text>Seen by beta.</text></passage></document></collection>`;

const QUERIES = ['===QUERY===', TEXT, '===PHI_TAGS===', ''].join('\n');

describe('notes whose file decides where sentences or entities stand', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-inexact-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const inexactIn = async (corpus: string) => {
    let count = 0;
    for await (const { inexact } of readChunks({ corpus }, TWO_TYPES)) count += inexact;
    return count;
  };

  test.each<[WrittenFormat, string, number]>([
    ['jsonl', 'notes.jsonl', 0],
    ['bioc', 'notes.xml', 0],
    ['bioc-json', 'notes.json', 0],
    ['conll', 'notes.conll', 2],
    ['tsv', 'notes.tsv', 2],
    ['webanno', 'webanno', 2],
  ])('are counted by format: %s', async (format, name, count) => {
    await writeCorpus(NOTES, join(root, name), format);
    expect(await inexactIn(join(root, name))).toBe(count);
  });

  test.each([
    ['BioC in JSON, one of them by sentence', 'sentences.json', JSON.stringify(biocOfSentences())],
    ['BioC in XML, one of them by sentence', 'sentences.xml', XML],
    ['queries of ASQ-PHI', 'queries.txt', QUERIES],
  ])('are counted by what the file holds: %s', async (_, name, content) => {
    await writeFile(join(root, name), content);
    expect(await inexactIn(join(root, name))).toBe(1);
  });
});
