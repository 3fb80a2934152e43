import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EncodedSentence } from '../../../../proto/encoded-sentence.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { lengthsOf, outgoing, WORDS } from '../notes.js';
import { createPublisher, type Publisher, removePublisher } from '../publisher.js';
import { TWO_TYPES } from '../two-types.js';
import { encodeInProcess, INSTANTS } from './encode-process.js';

const NOTES = 40;
const LENGTHS = Array.from({ length: NOTES }, (_, i) => i + 2);
const ascending = (a: number, b: number) => a - b;

describe('the release of each sentence is one', () => {
  let publisher: Publisher;
  let homes: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    homes = await mkdtemp(join(tmpdir(), 'tacet-faults-'));
  });
  afterAll(async () => {
    await removePublisher(publisher);
    await rm(homes, { recursive: true });
  });

  test.each(['kept', 'replaced'] as const)(
    'although three processes encode the same notes into one home at once, entities %s',
    async (entities) => {
      const home = join(homes, `race-${entities}`);
      const job = { publisher, home, notes: NOTES, segmentBytes: 1500, entities };
      await Promise.all([encodeInProcess(job), encodeInProcess(job), encodeInProcess(job)]);
      expect(lengthsOf(await outgoing(job.home)).sort(ascending)).toEqual(LENGTHS);
    },
  );

  test(`although the process is killed: ${INSTANTS.join('; ')}`, async () => {
    const job = { publisher, home: join(homes, 'killed'), notes: NOTES, segmentBytes: 1000 };
    // Whatever could have been uploaded at any time, by the digest of its segment.
    const left = new Map<string, EncodedSentence[]>();
    for (const dieAt of INSTANTS) {
      expect(await encodeInProcess({ ...job, dieAt })).toBe('SIGKILL');
      for (const [digest, sentences] of await outgoing(job.home)) left.set(digest, sentences);
    }
    const released = lengthsOf(left).length;
    expect(released).toBeGreaterThan(0);
    expect(released).toBeLessThan(NOTES);
    expect(await encodeInProcess(job)).toBeNull();
    for (const [digest, sentences] of await outgoing(job.home)) left.set(digest, sentences);
    expect(lengthsOf(left).sort(ascending)).toEqual(LENGTHS);
  });

  test('and each counts once for an entity that is kept, although the process is killed', async () => {
    const own = await createPublisher(WORDS, TWO_TYPES);
    const home = join(homes, 'killed-keeping');
    const shared = { publisher: own, home, notes: NOTES, segmentBytes: 1000 };
    const job = { ...shared, keepsOrganisations: true };
    for (const dieAt of INSTANTS) expect(await encodeInProcess({ ...job, dieAt })).toBe('SIGKILL');
    expect(await encodeInProcess(job)).toBeNull();
    await removePublisher(own);
    const left = await outgoing(home);
    expect(lengthsOf(left).sort(ascending)).toEqual(LENGTHS);
    const ledger = await Ledger.open(home);
    const sentences = WORDS.map((word) => {
      const entity = ledger.key.hashEntity([word]).toString('hex');
      return ledger.entities.spentOn(entity).sentences;
    });
    const pending = ledger.segments.pending();
    ledger.close();
    expect(sentences.reduce((sum, count) => sum + count)).toBe(NOTES);
    expect(new Set(pending.map(({ keptTypes }) => keptTypes))).toEqual(new Set(['ORG']));
  });
});
