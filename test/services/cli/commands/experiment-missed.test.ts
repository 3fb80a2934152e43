import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../../models/bundle/key-files.js';
import { readCorpus } from '../../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../../models/text/document.js';
import type { FindPhi } from '../../../../models/text/suspects.js';
import { openTaggingModel } from '../../../../services/institution/bundles/tagging-model.js';
import { findPhi } from '../../../../services/institution/deidentify/recognisers/find-phi.js';
import { type MissedNames, missedNames } from '../../../../study/measures/missed-names.js';
import { WORDS } from '../../institution/notes.js';
import {
  cacheOf,
  createPublisher,
  embeddingsOf,
  type Publisher,
  removePublisher,
} from '../../institution/publisher.js';
import { capturedRun } from '../captured-run.js';

describe('tacet experiment missed', () => {
  const cache = process.env.TACET_CACHE;
  let publisher: Publisher;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    process.env.TACET_CACHE = cacheOf(publisher.root);
    const lines = Array.from({ length: 40 }, (_, i) => {
      const text = `${WORDS[i % WORDS.length]} beta gamma. Call 5550199${i} now.`;
      return JSON.stringify({ id: `${i}`, text, spans: [{ start: 0, end: 4, label: 'PHI' }] });
    });
    await writeFile(join(publisher.root, 'notes.jsonl'), lines.join('\n'));
  });
  afterAll(async () => {
    if (cache === undefined) delete process.env.TACET_CACHE;
    else process.env.TACET_CACHE = cache;
    await removePublisher(publisher);
  });

  const missedOf = (notes: string, ...args: string[]) =>
    capturedRun(
      ...['--json', 'experiment', 'missed', notes, ...args],
      ...['--trust', publisher.publicKeyFile, '--embeddings', publisher.embeddingsFile],
    );
  const missed = (...args: string[]) => missedOf(join(publisher.root, 'notes.jsonl'), ...args);

  test('counts what would leave past a reader, by what becomes of suspects', async () => {
    const { exit, stdout } = await missed('--reader', publisher.pipeline, '--shares', '0.3,0.6');
    expect(exit).toBe(0);
    const found = JSON.parse(stdout) as MissedNames[];
    expect(found.map(({ share }) => share)).toEqual([0.3, 0.6]);
    for (const { missed: count, leaves, byType } of found) {
      expect(count).toBeGreaterThan(4);
      expect(leaves.report.value).toBe(1);
      // A sentence that holds a finding holds what was found.
      expect(leaves.withhold.value).toBeLessThanOrEqual(leaves.replace.value);
      expect(byType.PHI?.missed).toBe(count);
    }
  });

  test('reads the sentences that notes state, as encoding does', async () => {
    const notes = join(publisher.root, 'notes.conll');
    const threshold = 0.6;
    const blocks = WORDS.map((word) => `${word} B-PHI\n\nbeta O\ngamma O\n\ndelta O\n`);
    await writeFile(notes, blocks.join('\n-DOCSTART- O\n\n'));
    const how = ['--shares', '0.6', '--reader-threshold', `${threshold}`];
    const { stdout } = await missedOf(notes, '--reader', publisher.pipeline, ...how);
    const tagger = await openTaggingModel(publisher.pipeline, {
      trustedKeys: [await readPublicKey(publisher.publicKeyFile)],
      embeddings: await embeddingsOf(publisher),
    });
    const documents: Document[] = [];
    for await (const document of readCorpus(notes)) documents.push(document);
    const measured = (find: FindPhi) =>
      missedNames(documents, tagger.scheme, find, { shares: [0.6], seed: 1 });
    const stated = await measured((text, sentences) =>
      findPhi(text, tagger, { threshold, sentences }),
    );
    expect(JSON.parse(stdout)).toEqual(stated);
    expect(stated).not.toEqual(await measured((text) => findPhi(text, tagger, { threshold })));
  });

  test('refuses a representation, which finds nothing', async () => {
    const { exit, stderr } = await missed('--reader', publisher.representation);
    expect([exit, stderr]).toEqual([4, expect.stringContaining('model-unsuitable')]);
  });
});
