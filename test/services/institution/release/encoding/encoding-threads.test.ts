import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Task, TaskContext } from '../../../../../platform/threads/task.js';
import type { EncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import { EncodingThreads } from '../../../../../services/institution/release/encoding/encoding-threads.js';
import { Encodings } from '../../../../../services/institution/release/encoding/encodings.js';
import { CorpusReader } from '../../../../../services/institution/release/notes/corpus-reader.js';
import { tasks } from '../../../../../services/institution/release/notes/corpus-tasks.js';
import { readChunks } from '../../../../../services/institution/release/notes/note-source.js';
import { lengthsOf, outgoing, WORDS } from '../../notes.js';
import {
  createPublisher,
  encodingModelOf,
  type Publisher,
  removePublisher,
} from '../../publisher.js';
import { encodeKept } from '../encode-kept.js';

/** More than is encoded without threads. */
const SENTENCES = 2200;
const ascending = (a: number, b: number) => a - b;

/** No two alike: the digits of `i` to the base of the number of words. */
function textOf(i: number): string {
  const words: string[] = [];
  for (let rest = i + 1; rest > 0; rest = Math.floor(rest / WORDS.length))
    words.push(WORDS[rest % WORDS.length] as string);
  return `${words.join(' ')}.`;
}

describe('threads that read and encode', () => {
  let publisher: Publisher;
  let model: EncodingModel;
  let threads: EncodingThreads;
  let root: string;
  let corpus: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    model = await encodingModelOf(publisher);
    threads = new EncodingThreads(model.representation);
    root = await mkdtemp(join(tmpdir(), 'tacet-threads-'));
    corpus = join(root, 'notes.jsonl');
    const lines = Array.from({ length: SENTENCES }, (_, i) =>
      JSON.stringify({ text: textOf(i), spans: [] }),
    );
    await writeFile(corpus, `${lines.join('\n')}\n`);
  });
  afterAll(async () => {
    await threads.close();
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  test('use the memory of releases again that were handed back, of their own alone', async () => {
    const vocabulary = model.vocabulary.fresh();
    const rows = Array.from({ length: 20 }, (_, i) =>
      Int32Array.from(WORDS.slice(0, 1 + (i % 5)), (word) => vocabulary.idOf(word)),
    );
    const first = await threads.encode(rows, vocabulary);
    const kept = first.elements.slice();
    const others = new Encodings(new Uint8Array(first.elements.length), rows);
    threads.recycle(others);
    const second = await threads.encode(rows, vocabulary);
    expect(second.elements.buffer).not.toBe(others.elements.buffer);
    expect(second.elements.buffer).not.toBe(first.elements.buffer);
    expect(first.elements).toEqual(kept);
    threads.recycle(first);
    const third = await threads.encode(rows.slice(0, 10), vocabulary);
    expect(third.elements.buffer).toBe(first.elements.buffer);
    expect(third.of(9)).toHaveLength(second.of(9).length);
  });

  test('release every sentence of a corpus once, as a single thread does', async () => {
    const home = join(root, 'home');
    const options = { threads, segmentBytes: 40_000 };
    const report = await encodeKept({ corpus }, model, home, options);
    expect(report).toMatchObject({ documents: SENTENCES, released: SENTENCES, skipped: 0, bad: 0 });
    expect(report.segments.length).toBeGreaterThan(2);
    const alone = join(root, 'alone');
    await encodeKept({ corpus }, model, alone);
    const [found, expected] = await Promise.all([home, alone].map(outgoing));
    const lengths = (segments: typeof found) => lengthsOf(segments ?? new Map()).sort(ascending);
    expect(lengths(found)).toEqual(lengths(expected));
    expect(await encodeKept({ corpus }, model, home, options)).toMatchObject({ released: 0 });
  });

  test('release nothing twice when two jobs have encoded the same notes', async () => {
    const home = join(root, 'shared');
    const job = () => encodeKept({ corpus }, model, home, { threads, segmentBytes: 40_000 });
    const reports = await Promise.all([job(), job()]);
    expect(reports.map(({ released }) => released).reduce((a, b) => a + b)).toBe(SENTENCES);
    expect(lengthsOf(await outgoing(home))).toHaveLength(SENTENCES);
  });

  test('give the chunks that are read without them', async () => {
    const expected = [];
    for await (const chunk of readChunks({ corpus }, model.scheme)) expected.push(chunk);
    const found = [];
    for await (const chunk of threads.reader.chunks({ corpus }, model.scheme)) found.push(chunk);
    expect(found).toEqual(expected);
  });

  test('say which document is bad, or leave it out and count it', async () => {
    const bad = join(root, 'bad.jsonl');
    await writeFile(bad, `{"text":"alpha.","spans":[]}\n{"text":\n{"text":"beta.","spans":[]}\n`);
    const home = join(root, 'bad');
    await expect(encodeKept({ corpus: bad }, model, home, { threads })).rejects.toMatchObject({
      code: 'corpus-invalid',
    });
    expect(
      await encodeKept({ corpus: bad, skipBad: true }, model, home, { threads }),
    ).toMatchObject({
      ...{ documents: 2, bad: 1, released: 2 },
    });
  });

  test('say which document has a type that the scheme lacks, which is not left out', async () => {
    const foreign = join(root, 'foreign.jsonl');
    const spans = [
      { start: 0, end: 5, label: 'SHOE' },
      { start: 6, end: 10, label: 'beta' },
    ];
    const line = JSON.stringify({ text: 'alpha beta.', spans });
    await writeFile(foreign, `{"text":"alpha.","spans":[]}\n${line}\n`);
    for (const options of [{}, { threads }])
      await expect(
        encodeKept({ corpus: foreign, skipBad: true }, model, join(root, 'f'), options),
      ).rejects.toMatchObject({
        code: 'label-unknown',
        message: expect.stringMatching(
          /foreign\.jsonl:2: .* has no SHOE, a type that is no name; /,
        ),
      });
  });

  test('encode no text that nobody annotated', async () => {
    const bare = join(root, 'bare');
    await mkdir(bare);
    await writeFile(join(bare, 'note.txt'), 'alpha beta.');
    for (const options of [{}, { threads }])
      await expect(
        encodeKept({ corpus: bare }, model, join(root, 'b'), options),
      ).rejects.toMatchObject({
        code: 'corpus-invalid',
        message: expect.stringContaining('note.txt: no annotations'),
      });
  });

  test('say so where the thread that began to read is there no longer', async () => {
    const all = (await tasks(undefined as never)) as Record<string, Task<unknown>>;
    const call = async (task: string, input: unknown) => all[task]?.(input, {} as TaskContext);
    await expect(call('next', 0)).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('the thread that read the notes ended'),
    });
    expect(await call('close', 0)).toEqual({ value: undefined });
  });

  test('read for a second caller while a first one waits or goes away', async () => {
    const reader = new CorpusReader();
    const first = reader.chunks({ corpus }, model.scheme);
    await first.next();
    let documents = 0;
    for await (const chunk of reader.chunks({ corpus }, model.scheme))
      documents += chunk.documents.length;
    expect(documents).toBe(SENTENCES);
    await first.return(undefined);
    await reader.close();
  });
});
