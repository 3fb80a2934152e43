import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readCorpus } from '../../../../models/text/corpus/read-corpus.js';
import { publishedSite } from '../../institution/published-site.js';
import { capturedRun } from '../captured-run.js';

const TEXT = 'alpha beta gamma.\n\ndelta epsilon zeta unknown 42.';

describe('tacet deidentify', () => {
  const site = publishedSite();
  let output: string;
  let count = 0;
  beforeAll(async () => {
    await writeFile(join(site.root, 'note.txt'), TEXT);
  });
  beforeEach(() => {
    output = join(site.root, `out-${count++}`);
  });

  const deidentify = (...options: readonly string[]) =>
    capturedRun(
      ...[
        '--json',
        'deidentify',
        join(site.root, 'note.txt'),
        output,
        '--model',
        site.publisher.pipeline,
      ],
      ...['--trust', site.publisher.publicKeyFile, '--embeddings', site.publisher.embeddingsFile],
      ...options,
    );

  test.each([
    ['text', 'mask', ['note.txt']],
    ['brat', 'annotate', ['note.ann', 'note.txt']],
    ['i2b2', 'tag', ['note.xml']],
  ])('writes %s with policy %s', async (format, policy, names) => {
    const { exit, stdout } = await deidentify('--format', format, '--policy', policy);
    expect(exit).toBe(0);
    expect(await readdir(output)).toEqual(names);
    const documents = [];
    for await (const document of readCorpus(output)) documents.push(document);
    expect(documents).toHaveLength(1);
    const [{ text, spans } = { text: '', spans: [] }] = documents;
    if (format !== 'text') expect(spans).toHaveLength(JSON.parse(stdout).spans);
    if (policy !== 'tag') expect(text).toHaveLength(TEXT.length);
  });

  test('writes jsonl into a file', async () => {
    expect(await deidentify('--format', 'jsonl')).toMatchObject({ exit: 0 });
    const lines = (await readFile(output, 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['note']);
  });

  test('never writes over a file', async () => {
    await deidentify();
    expect(await deidentify()).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(/file-exists/),
    });
  });

  test('refuses to call text without any removal de-identified', async () => {
    expect(await deidentify('--policy', 'annotate')).toMatchObject({ exit: 2 });
  });

  test('refuses a bundle that is no pipeline', async () => {
    const { exit, stderr } = await capturedRun(
      ...['deidentify', site.root, output, '--model', site.publisher.representation],
      ...['--trust', site.publisher.publicKeyFile, '--embeddings', site.publisher.embeddingsFile],
    );
    expect(exit).toBe(4);
    expect(stderr).toMatch(/model-unsuitable.*expected a pipeline bundle/);
  });
});
