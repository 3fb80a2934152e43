import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCorpus } from '../../../../models/text/corpus/read-corpus.js';
import { notesOfDistinctLengths, outgoing, WORDS } from '../notes.js';
import { createPublisher, encodingModelOf, type Publisher, removePublisher } from '../publisher.js';
import { encodeKept } from './encode-kept.js';
import { encodeInProcess, INSTANTS } from './encode-process.js';

const ATTEMPTS = 100;
const MAX_RELEASES = 3;
const NOTES = notesOfDistinctLengths(2);
/** One sentence fills a segment, so that a process dies between the two. */
const SEGMENT_BYTES = 1;

describe('averaging over releases of one sentence', () => {
  let publisher: Publisher;
  let root: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    root = await mkdtemp(join(tmpdir(), 'tacet-averaging-'));
  });
  afterAll(async () => {
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  test(`${ATTEMPTS} attempts give ${MAX_RELEASES} distinct vectors and no more`, async () => {
    const home = join(root, 'home');
    let attempts = 0;
    const job = {
      publisher,
      home,
      notes: 2,
      segmentBytes: SEGMENT_BYTES,
      maxReleases: MAX_RELEASES,
    };

    for (const dieAt of INSTANTS) {
      await encodeInProcess({ ...job, dieAt });
      attempts++;
    }
    await Promise.all([encodeInProcess(job), encodeInProcess(job)]);
    attempts += 2;

    const models = [await encodingModelOf(publisher), await encodingModelOf(publisher)] as const;
    const options = { maxReleases: MAX_RELEASES, segmentBytes: SEGMENT_BYTES };
    const folder = join(root, 'notes');
    await mkdir(folder);
    for (const { id, text } of NOTES) await writeFile(join(folder, `${id}.txt`), text);
    for (let copy = 0; copy < 10; copy++, attempts++) {
      const copied = join(root, `copy-${copy}`);
      await cp(folder, copied, { recursive: true });
      await encodeKept(() => readCorpus(copied), models[0], home, options);
    }
    for (; attempts < ATTEMPTS; attempts += 2)
      await Promise.all(models.map((model) => encodeKept(NOTES, model, home, options)));

    expect(attempts).toBeGreaterThanOrEqual(ATTEMPTS);
    const released = [...(await outgoing(home)).values()].flat();
    for (const length of NOTES.map((_, i) => i + 2)) {
      const vectors = released
        .filter(({ labels }) => labels.length === length)
        .map((sentence) => Buffer.from(sentence.vectors).toString('hex'));
      expect(vectors).toHaveLength(MAX_RELEASES);
      expect(new Set(vectors).size).toBe(MAX_RELEASES);
    }
  });
});
