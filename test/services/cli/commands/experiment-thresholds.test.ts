import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { OperatingPoints } from '../../../../study/measures/operating-points.js';
import { WORDS } from '../../institution/notes.js';
import {
  cacheOf,
  createPublisher,
  type Publisher,
  removePublisher,
} from '../../institution/publisher.js';
import { capturedRun } from '../captured-run.js';

const cache = process.env.TACET_CACHE;
let publisher: Publisher;
beforeAll(async () => {
  publisher = await createPublisher(WORDS);
  process.env.TACET_CACHE = cacheOf(publisher.root);
  const lines = WORDS.map((word, i) => {
    const spans = [{ start: 0, end: word.length, label: 'PHI' }];
    return JSON.stringify({ id: `${i}`, text: `${word} beta gamma.`, spans });
  });
  await writeFile(join(publisher.root, 'notes.jsonl'), lines.join('\n'));
});
afterAll(async () => {
  if (cache === undefined) delete process.env.TACET_CACHE;
  else process.env.TACET_CACHE = cache;
  await removePublisher(publisher);
});

const thresholds = (...args: string[]) =>
  capturedRun(
    ...['experiment', 'thresholds', join(publisher.root, 'notes.jsonl'), ...args],
    ...['--trust', publisher.publicKeyFile, '--embeddings', publisher.embeddingsFile],
  );

test('tacet experiment thresholds scores each pipeline, and gives its recall at each precision', async () => {
  const { exit, stdout } = await thresholds(
    ...['--json', '--model', publisher.pipeline, publisher.pipeline, '--precisions', '0.01,1'],
  );
  expect(exit).toBe(0);
  const [first, second] = JSON.parse(stdout) as (OperatingPoints & { model: string })[];
  expect(first).toEqual(second);
  expect(first?.decoded.documents).toBe(WORDS.length);
  // From a threshold of next to nothing on all is PHI.
  expect(first?.points[0]?.recall).toEqual({ value: 1, interval: [0, 1] });
  expect(first?.points[1]?.recall.value ?? 0).toBeLessThan(1);
});

test('a threshold is printed so that as much is found with it', async () => {
  const how = ['--model', publisher.pipeline, '--precisions', '0.01,0.2,0.4,0.5,0.6'];
  const { stdout } = await thresholds(...how);
  const [{ points }] = JSON.parse((await thresholds('--json', ...how)).stdout) as OperatingPoints[];
  const exact = points.flatMap((point) => point?.threshold ?? []);
  const printed = Array.from(stdout.matchAll(/from (\S+) on/g), ([, text]) => Number(text));
  expect(printed).toHaveLength(exact.length);
  expect(printed.filter((text, i) => text > exact[i] || exact[i] - text > 0.01)).toEqual([]);
});

test('precisions beyond 1 are refused', async () => {
  const { exit, stderr } = await thresholds('--model', publisher.pipeline, '--precisions', '95');
  expect([exit, stderr]).toEqual([2, expect.stringContaining('up to 1')]);
});
