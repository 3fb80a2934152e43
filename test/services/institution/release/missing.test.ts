import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WORDS } from '../notes.js';
import { createPublisher, encodingModelOf, type Publisher, removePublisher } from '../publisher.js';
import { encodeKept } from './encode-kept.js';

const NAMES = Array.from(
  { length: 100 },
  (_, i) => `name${'abcdefghij'[i % 10]}${'abcdefghij'[Math.floor(i / 10)]}`,
);
/** Of other names, in sentences that differ in length. */
const OTHERS = 59;
/** In the place of the name. */
const TRIED = 10;

/** A note of one sentence, which is as long as its number says. */
function noteOf(name: string, number: number) {
  const before = `${WORDS[number % 6]} ${'zeta alpha '.repeat(number)}`;
  const spans = [{ type: 'PHI', start: before.length, end: before.length + name.length }];
  return { id: `${number}`, text: `${before}${name} gamma.`, spans };
}

describe('who knows everything but one name, and sees what is missing', () => {
  let publisher: Publisher;
  let home: string;
  beforeAll(async () => {
    publisher = await createPublisher([...WORDS, ...NAMES]);
    home = await mkdtemp(join(tmpdir(), 'tacet-missing-'));
  });
  afterAll(async () => {
    await removePublisher(publisher);
    await rm(home, { recursive: true });
  });

  test.each([0.9, 0.93, 0.99])(
    'sees the same whatever the name is, or reads that all may be told, at a limit of %p',
    async (limit) => {
      const model = await encodingModelOf(publisher);
      const others = NAMES.slice(0, OTHERS).map((name, i) => noteOf(name, i % 12));
      const outcomes = [];
      for (const name of NAMES.slice(OTHERS, OTHERS + TRIED)) {
        const certification = { limit, neighbours: NAMES.length };
        const notes = [...others, noteOf(name, 13)];
        outcomes.push(await encodeKept(notes, model, home, { certification, dryRun: true }));
      }
      const isTold = outcomes.some(({ bounds }) => bounds?.entities.after.maximum === 1);
      if (!isTold) expect(new Set(outcomes.map(({ releasable }) => releasable)).size).toBe(1);
    },
  );
});
