import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadLabelScheme } from '../../../../../models/text/label-scheme.js';
import type { EncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import { Ledger } from '../../../../../services/institution/release/ledger/ledger.js';
import { CorpusReader } from '../../../../../services/institution/release/notes/corpus-reader.js';
import {
  type ReadChunk,
  readChunks,
} from '../../../../../services/institution/release/notes/note-source.js';
import { portionsOf } from '../../../../../services/institution/release/portions/portions.js';
import { notesOfDistinctLengths, WORDS } from '../../notes.js';
import {
  createPublisher,
  encodingModelOf,
  type Publisher,
  removePublisher,
} from '../../publisher.js';

const NOTES = 150;
const SCHEME = loadLabelScheme('synthetic');

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Spellings of each sentence, as whoever takes the chunks knows them. */
function sentencesOf(chunks: readonly ReadChunk[]): string[] {
  const spellings: string[][] = [];
  return chunks.flatMap((chunk) => {
    const known = chunk.restarts ? [] : (spellings[chunk.reader] ?? []);
    known.push(...chunk.spellings);
    spellings[chunk.reader] = known;
    let from = 0;
    return Array.from(chunk.lengths, (length) => {
      const words = chunk.words.subarray(from, from + length);
      from += length;
      return Array.from(words, (word) => known[word]).join(' ');
    });
  });
}

describe('a corpus that several threads read', () => {
  let publisher: Publisher;
  let model: EncodingModel;
  let root: string;
  let corpus: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    model = await encodingModelOf(publisher);
    root = await mkdtemp(join(tmpdir(), 'tacet-reader-'));
    corpus = join(root, 'notes');
    await mkdir(corpus);
    for (const { id, text } of notesOfDistinctLengths(NOTES)) {
      await writeFile(join(corpus, `${id}.txt`), text);
      await writeFile(join(corpus, `${id}.ann`), '');
    }
  });
  afterAll(async () => {
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  test('gives each sentence once, and in one order for one number of threads', async () => {
    const alone = sentencesOf(await all(readChunks({ corpus }, SCHEME))).sort();
    for (const threads of [2, 3]) {
      const reader = new CorpusReader(threads);
      const first = await all(reader.chunks({ corpus }, SCHEME));
      expect(new Set(first.map((chunk) => chunk.reader)).size).toBe(threads);
      expect(sentencesOf(first).sort()).toEqual(alone);
      expect(await all(reader.chunks({ corpus }, SCHEME))).toEqual(first);
      await reader.close();
    }
  });

  test('holds the same words in a job, also where it is read in portions', async () => {
    const reader = new CorpusReader(2);
    const portions = async (read: () => AsyncIterable<ReadChunk>) => {
      const ledger = await Ledger.openOrMake(join(root, 'home'));
      const found: string[] = [];
      const options = { maxReleases: 1, copies: 1, mostSentences: 60 };
      for await (const { sentences, vocabulary } of portionsOf(read, model, ledger, options))
        for (const { rows } of sentences)
          found.push(Array.from(rows, (row) => vocabulary.key(row)).join(' '));
      ledger.close();
      return found.sort();
    };
    const alone = await portions(() => readChunks({ corpus }, model.scheme));
    expect(alone.length).toBeGreaterThanOrEqual(NOTES);
    expect(await portions(() => reader.chunks({ corpus }, model.scheme))).toEqual(alone);
    await reader.close();
  });

  test('is empty where none of them has a document, and not where one has', async () => {
    const reader = new CorpusReader(2);
    const one = join(root, 'one.jsonl');
    await writeFile(one, '{"text":"alpha.","spans":[]}\n');
    expect(sentencesOf(await all(reader.chunks({ corpus: one }, SCHEME)))).toEqual(['alpha .']);
    const empty = join(root, 'empty');
    await mkdir(empty);
    await expect(all(reader.chunks({ corpus: empty }, SCHEME))).rejects.toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringContaining('there are no documents'),
    });
    await reader.close();
  });

  test('tells of a bad document, or counts each once', async () => {
    const mixed = join(root, 'mixed');
    await mkdir(mixed);
    for (const name of ['a', 'b', 'c', 'd'])
      await writeFile(join(mixed, `${name}.jsonl`), '{"text":"alpha.","spans":[]}\n{"text":\n');
    const reader = new CorpusReader(2);
    await expect(all(reader.chunks({ corpus: mixed }, SCHEME))).rejects.toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringContaining('a.jsonl:2'),
    });
    const chunks = await all(reader.chunks({ corpus: mixed, skipBad: true }, SCHEME));
    expect(chunks.reduce((sum, { bad }) => sum + bad, 0)).toBe(4);
    expect(sentencesOf(chunks)).toHaveLength(4);
    await reader.close();
  });
});
