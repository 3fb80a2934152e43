import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Vocabulary } from '../../../../../models/embeddings/vocabulary.js';
import type { EncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import type { EncodeReport } from '../../../../../services/institution/release/job/encode-report.js';
import { Ledger } from '../../../../../services/institution/release/ledger/ledger.js';
import {
  type DocumentSource,
  readChunks,
} from '../../../../../services/institution/release/notes/note-source.js';
import { portionsOf } from '../../../../../services/institution/release/portions/portions.js';
import type { SecondReader } from '../../../../../services/institution/release/suspects/second-reader.js';
import { lengthsOf, notesOfDistinctLengths, outgoing, WORDS } from '../../notes.js';
import {
  createPublisher,
  encodingModelOf,
  type Publisher,
  removePublisher,
} from '../../publisher.js';
import { encodeKept } from '../encode-kept.js';
import { encodeWhole } from '../encode-whole.js';
import { inNewHomes } from '../in-new-homes.js';

const COUNT = 120;
const MOST = 20;
const NOTES = notesOfDistinctLengths(COUNT);
const LENGTHS = NOTES.map((_, i) => i + 2);
const ascending = (a: number, b: number) => a - b;

describe('a job that is larger than what is held in memory', () => {
  let publisher: Publisher;
  let model: EncodingModel;
  let root: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    model = await encodingModelOf(publisher);
    root = await mkdtemp(join(tmpdir(), 'tacet-portions-'));
  });
  afterAll(async () => {
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  const portions = async (source: DocumentSource, maxReleases = 1) => {
    const read = () => readChunks(source, model.scheme);
    const ledger = await Ledger.openOrMake(join(root, 'portions'));
    const found: { sentences: number[]; documentCount: number; sentenceCount: number }[] = [];
    const options = { maxReleases, copies: 1, mostSentences: MOST };
    for await (const { sentences, ...counts } of portionsOf(read, model, ledger, options))
      found.push({ ...counts, sentences: Array.from(sentences, ({ rows }) => rows.length) });
    ledger.close();
    return found;
  };

  test('is read in portions, none of them too large, which hold every sentence once', async () => {
    let readings = 0;
    const found = await portions(async function* () {
      readings++;
      yield* NOTES;
    });
    expect(found.length).toBeGreaterThan(2);
    expect(readings).toBe(found.length);
    expect(found[0]?.sentences.length).toBeLessThanOrEqual(MOST);
    const lengths = found.flatMap(({ sentences }) => sentences);
    expect(lengths.sort(ascending)).toEqual(LENGTHS);
    expect(found[0]).toMatchObject({ documentCount: COUNT, sentenceCount: COUNT });
  });

  test('has in each portion sentences from everywhere in it', async () => {
    const ranges = (await portions(NOTES)).map(
      ({ sentences: lengths }) => Math.max(...lengths) - Math.min(...lengths),
    );
    // A single portion of a few sentences may lie close together by chance, all of them hardly.
    const mean = ranges.reduce((sum, range) => sum + range, 0) / ranges.length;
    expect(mean).toBeGreaterThan(COUNT / 2);
  });

  test('keeps no more copies of a sentence than may be released, however many there are', async () => {
    const copies = Array.from({ length: 10 * MOST }, () => NOTES[3] as (typeof NOTES)[0]);
    const [only, ...others] = await portions(copies, 2);
    expect(only?.sentences).toHaveLength(2);
    expect(only?.sentenceCount).toBe(10 * MOST);
    expect(others).toEqual([]);
  });

  test('is released whole, once', async () => {
    const home = join(root, 'home');
    const options = { mostSentences: MOST, segmentBytes: 5000 };
    const report = await encodeKept(NOTES, model, home, options);
    expect(report).toMatchObject({ documents: COUNT, sentences: COUNT, released: COUNT });
    expect(report.skipped).toBe(0);
    expect(report.portions).toBeGreaterThan(2);
    expect(lengthsOf(await outgoing(home)).sort(ascending)).toEqual(LENGTHS);
    const again = await encodeKept(NOTES, model, home, options);
    expect(again).toMatchObject({ released: 0, skipped: COUNT });
  });
});

describe('a job of several portions that holds notes in two forms', () => {
  let model: EncodingModel;
  let home: string;
  let newHome: () => string;
  inNewHomes((setting) => {
    ({ model, home, newHome } = setting);
  });
  /** Of one sentence each, once with a space and once with a line feed in it. */
  const both = [' ', '\n'].flatMap((space) =>
    notesOfDistinctLengths(41)
      .slice(1)
      .map((note) => ({ ...note, text: note.text.replace(' ', space) })),
  );

  /** By `skipped` last, which is what remains of `sentences`. */
  const counted = ({ sentences, withheld, alike, suspects, redrawn, skipped }: EncodeReport) => ({
    left: sentences - withheld - alike - (suspects?.sentences ?? 0) - redrawn - skipped,
    ...{ withheld, alike, redrawn, skipped },
  });
  const once = { left: 40, withheld: 0, alike: 0, redrawn: 40, skipped: 0 };

  test.each([
    ['a space', both],
    ['a line feed', [...both].reverse()],
  ])('lets each leave in the one that is read first: with %s', async (_, notes) => {
    const options = { mostSentences: 8 };
    const dry = await encodeWhole(notes, model, home, { ...options, dryRun: true });
    expect(dry.portions).toBeGreaterThan(1);
    expect(dry).toMatchObject({ releasable: 40, released: 0 });
    expect(counted(dry)).toEqual(once);
    const real = await encodeWhole(notes, model, home, options);
    expect(real).toMatchObject({ portions: dry.portions, released: 40 });
    expect(counted(real)).toEqual(once);
    const again = await encodeWhole(notes, model, home, options);
    expect(counted(again)).toEqual({ ...once, left: 0, skipped: 40 });
    const whole = await encodeWhole(notes, model, newHome());
    expect(whole).toMatchObject({ portions: 1, released: 40 });
    expect(counted(whole)).toEqual(once);
  });

  test('counts those that stay for a second reader once', async () => {
    const reader: SecondReader = {
      treatment: 'withhold',
      find: async (text) => (text.length % 3 === 0 ? [{ type: 'PHI', start: 0, end: 2 }] : []),
    };
    const report = await encodeWhole(both, model, home, { reader, mostSentences: 8 });
    const suspected = report.suspects?.sentences ?? 0;
    expect(suspected).toBeGreaterThan(0);
    const leaving = (2 * 40 - suspected) / 2;
    expect(counted(report)).toEqual({ ...once, left: leaving, redrawn: leaving });
    expect(report).toMatchObject({ released: leaving });
  });
});

describe('a vocabulary', () => {
  test('finds the row of another one of the same embeddings', async () => {
    const publisher = await createPublisher(WORDS);
    const { vocabulary } = await encodingModelOf(publisher);
    const other = new Vocabulary(vocabulary.embeddings);
    for (const word of ['zeta', 'ALPHA', 'unheard', '42', '1234']) {
      const id = vocabulary.idOf(word);
      expect(other.key(other.idOfSame(vocabulary, id))).toBe(vocabulary.key(id));
    }
    await removePublisher(publisher);
  });
});
