import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WORDS } from '../../notes.js';
import { createPublisher, type Publisher, removePublisher } from '../../publisher.js';
import { TWO_TYPES } from '../../two-types.js';
import { corporaPair, corporaPairWithKept } from './corpora.js';
import type { PlayedJob, Told } from './releases.js';

const PAIRS = Number(process.env.TACET_EXACTNESS_PAIRS ?? 9);
/** Equal bytes show something where something left; of what is withheld by chance more pairs are drawn. */
const ENOUGH = PAIRS / 4;
const MOST_DRAWINGS = 5;
/** Every side of every pair makes a home of its own. */
const LONG_MS = 600_000 + 4_000 * PAIRS * MOST_DRAWINGS;
const PROCESS = fileURLToPath(new URL('./releases.js', import.meta.url));

const KEPT = { keptTypes: ['ORG'] };
/** Few twins, which are enough to tell a difference. */
const LOOSE = { limit: 1, neighbours: 3, twins: 4 };
const STRICT = { ...LOOSE, limit: 0.6 };

describe('a release with entities replaced', () => {
  let publisher: Publisher;
  let player: ChildProcessByStdio<Writable, Readable, null>;
  let answers: AsyncIterator<string>;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS, TWO_TYPES);
    player = spawn(process.execPath, ['--no-warnings', PROCESS], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    answers = createInterface({ input: player.stdout })[Symbol.asyncIterator]();
  });
  afterAll(async () => {
    const exit = once(player, 'exit');
    player.stdin.end();
    expect(await exit).toEqual([0, null]);
    await removePublisher(publisher);
  });

  /** Numbers of the pairs that could be told apart, and how many left something. */
  const toldApart = async (job: Omit<PlayedJob, 'publisher' | 'pairs'>) => {
    const seed = randomInt(2 ** 31);
    const drawn = job.options.keptTypes ? corporaPairWithKept : corporaPair;
    const pairs = fc.sample(drawn, { numRuns: PAIRS, seed });
    player.stdin.write(`${JSON.stringify({ ...job, publisher, pairs } satisfies PlayedJob)}\n`);
    const { value: line, done } = await answers.next();
    if (done) throw new Error(`the process of releases ended with ${player.exitCode}`);
    return { seed, ...(JSON.parse(line) as Told) };
  };

  test.each<[string, Omit<PlayedJob, 'publisher' | 'pairs'>]>([
    ['in one go', { options: {} }],
    ['of few sentences alike, in small segments', { options: { maxAlike: 2, segmentBytes: 200 } }],
    ['of several portions', { options: { mostSentences: 4, segmentBytes: 200 } }],
    ['of a quorum', { options: { minDocuments: 3 } }],
    ['in pieces', { options: { labelDocuments: 2 } }],
    ['in pieces, as a dry run', { options: { labelDocuments: 2, dryRun: true } }],
    [
      'in pieces, of two copies, stopped half way',
      { options: { labelDocuments: 2, copies: 2, segmentBytes: 200 }, stopAfter: 2 },
    ],
    ['of three copies', { options: { copies: 3, segmentBytes: 200 }, stopAfter: 3 }],
    ['with suspects replaced', { options: {}, suspects: 'replace' }],
    ['with suspects withheld', { options: { segmentBytes: 200 }, suspects: 'withhold' }],
    ['as a dry run', { options: { dryRun: true } }],
    ['of XML', { options: { segmentBytes: 200 }, from: 'i2b2' }],
    ['of text with annotations beside it', { options: {}, from: 'brat', stopAfter: 2 }],
    ['of JSON lines', { options: {}, from: 'jsonl', suspects: 'replace' }],
    ['of tasks', { options: {}, from: 'label-studio' }],
    ['of passages', { options: {}, from: 'bioc' }],
    ['that was stopped half way', { options: { segmentBytes: 200 }, stopAfter: 2 }],
    ['with a type kept', { options: { ...KEPT, certification: LOOSE, segmentBytes: 200 } }],
    ['with a type kept that the limit withholds', { options: { ...KEPT, certification: STRICT } }],
    [
      'with a type kept, capped, in portions, stopped half way',
      {
        options: {
          ...{ ...KEPT, segmentBytes: 200, mostSentences: 4 },
          certification: { ...LOOSE, maxSentencesPerEntity: 1 },
        },
        stopAfter: 2,
      },
    ],
    [
      'with a type kept, in pieces',
      { options: { ...KEPT, certification: LOOSE, labelDocuments: 2 } },
    ],
    [
      'with a type kept and suspects replaced',
      { options: { ...KEPT, certification: LOOSE }, suspects: 'replace' },
    ],
    [
      'with a type kept, as a dry run',
      { options: { ...KEPT, certification: LOOSE, dryRun: true } },
    ],
  ])(
    'is the same bytes, report and ledger whatever the entities were: %s',
    async (_what, job) => {
      let left = 0;
      for (let tries = 0; tries < MOST_DRAWINGS && left <= ENOUGH; tries++) {
        const { left: more, ...found } = await toldApart(job);
        expect(found).toMatchObject({ told: [] });
        if (job.options.dryRun) return;
        left += more;
      }
      expect(left).toBeGreaterThan(ENOUGH);
    },
    LONG_MS,
  );

  test(
    'would be told apart if surrogates kept a shape, or if entities were kept',
    async () => {
      const options = { entities: 'kept' } as const;
      expect((await toldApart({ options, leaksShape: true })).told.length).toBeGreaterThan(ENOUGH);
      expect((await toldApart({ options })).told.length).toBeGreaterThan(ENOUGH);
    },
    LONG_MS,
  );

  test(
    'would be told apart beside a type that is kept, if surrogates kept a shape, or if names were called one of it',
    async () => {
      const options = { ...KEPT, certification: LOOSE };
      for (const leak of [{ leaksShape: true }, { callsAllKept: true }])
        expect((await toldApart({ options, ...leak })).told.length).toBeGreaterThan(ENOUGH);
    },
    LONG_MS,
  );
});
