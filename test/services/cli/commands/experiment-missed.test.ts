import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MissedNames } from '../../../../study/measures/missed-names.js';
import { WORDS } from '../../institution/notes.js';
import {
  cacheOf,
  createPublisher,
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

  const missed = (...args: string[]) =>
    capturedRun(
      ...['--json', 'experiment', 'missed', join(publisher.root, 'notes.jsonl'), ...args],
      ...['--trust', publisher.publicKeyFile, '--embeddings', publisher.embeddingsFile],
    );

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

  test('refuses a representation, which finds nothing', async () => {
    const { exit, stderr } = await missed('--reader', publisher.representation);
    expect([exit, stderr]).toEqual([4, expect.stringContaining('model-unsuitable')]);
  });
});
