import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../../models/bundle/key-files.js';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { nativeFunction } from '../../../../models/tensor/addon.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { groupedBy } from '../../../../platform/grouped-by.js';
import { decodeElements } from '../../../../proto/element.js';
import { readSegment } from '../../../../proto/segment.js';
import {
  type EncodingModel,
  openEncodingModel,
} from '../../../../services/institution/bundles/encoding-model.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { readReleases } from '../../../../services/institution/release/segments/release-map.js';
import { lengthsOf, notesOfDistinctLengths, outgoing, WORDS } from '../notes.js';
import { embeddingsOf, encodingModelOf, type Publisher } from '../publisher.js';
import { encodeKept } from './encode-kept.js';
import { inNewHomes } from './in-new-homes.js';

const NOTES = notesOfDistinctLengths(40);
const LENGTHS = NOTES.map((_, i) => i + 2);
const ascending = (a: number, b: number) => a - b;

describe('encoding', () => {
  let publisher: Publisher;
  let model: EncodingModel;
  let home: string;
  inNewHomes((setting) => {
    ({ publisher, model, home } = setting);
  });

  test('puts every sentence into the outbox, with its labels', async () => {
    const report = await encodeKept(NOTES, model, home);
    expect(report).toMatchObject({ documents: 40, sentences: 40, released: 40, skipped: 0 });
    const segments = await outgoing(home);
    expect([...segments.keys()]).toEqual([...report.segments].sort());
    expect(lengthsOf(segments).sort(ascending)).toEqual(LENGTHS);
    expect(report.tokens).toBe(LENGTHS.reduce((sum, length) => sum + length, 0));
  });

  test('names model and label scheme in the segment, and nothing else', async () => {
    const { segments } = await encodeKept(NOTES, model, home);
    const file = join(home, 'outbox', `${segments[0]}.segment`);
    const { header } = readSegment(await readFile(file));
    expect(header).toEqual({
      modelDigest: model.digest,
      dimension: 6,
      elementType: 'float16',
      entities: 'kept',
      labelSchemeDigest: model.scheme.digest,
      labelCount: 3,
      sentenceCount: 40,
    });
  });

  const inBfloat16 = nativeFunction('hasBfloat16')() ? test : test.skip;
  inBfloat16('releases nothing where f is not computed as its limits say', async () => {
    await useBackend('native', 'bfloat16');
    try {
      await expect(encodeKept(NOTES, model, home)).rejects.toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining('TACET_PRECISION'),
      });
    } finally {
      await useBackend('native', 'float32');
    }
  });

  test('releases nothing again under another signature of the same weights', async () => {
    await encodeKept(NOTES, model, home);
    const signedAgain = { ...model, digest: 'f'.repeat(64) };
    expect(await encodeKept(NOTES, signedAgain, home)).toMatchObject({ released: 0, skipped: 40 });
  });

  test('gives one document different vectors in two homes, as far apart as the noise', async () => {
    const [note] = NOTES.slice(-1);
    if (!note) throw new Error('no note');
    const vectors = [];
    for (const each of [`${home}-a`, `${home}-b`]) {
      await encodeKept([note], model, each);
      const [sentence] = [...(await outgoing(each)).values()].flat();
      vectors.push(decodeElements(sentence?.vectors ?? new Uint8Array(), 'float16'));
    }
    const [a, b] = vectors as [Float32Array, Float32Array];
    const distances = a.map((value, i) => (value - (b[i] as number)) ** 2);
    const mean = distances.reduce((sum, value) => sum + value, 0) / distances.length;
    // Output noise alone, 0.3 a dimension, makes it 2 * 0.09.
    expect(mean).toBeGreaterThan(0.1);
    expect(new Set(a).size).toBeGreaterThan(a.length / 2);
  });

  test('releases nothing a second time, whatever the note is called', async () => {
    await encodeKept(NOTES, model, home);
    const before = await outgoing(home);
    const renamed = NOTES.map(({ text, spans }, i) => ({ id: `copy-${i}`, text, spans }));
    const report = await encodeKept(renamed, model, home);
    expect(report).toMatchObject({ sentences: 40, released: 0, skipped: 40, segments: [] });
    expect(await outgoing(home)).toEqual(before);
  });

  test('takes two spellings with the same embedding rows for one sentence', async () => {
    const spellings = ['alpha beta.', 'Alpha BETA.', 'ALPHA beta.'];
    const notes = spellings.map((text, i) => ({ id: `${i}`, text, spans: [] }));
    expect(await encodeKept(notes, model, home)).toMatchObject({ released: 1, skipped: 2 });
  });

  test('releases a sentence as often as the policy allows, within one job and over several', async () => {
    const [note] = NOTES;
    if (!note) throw new Error('no note');
    const options = { maxReleases: 3 };
    expect(await encodeKept([note, note], model, home, options)).toMatchObject({ released: 2 });
    expect(await encodeKept([note, note], model, home, options)).toMatchObject({ released: 1 });
    expect(await encodeKept([note], model, home, options)).toMatchObject({
      released: 0,
      skipped: 1,
    });
    expect(await encodeKept([note], model, home)).toMatchObject({ released: 0 });
  });

  test('keeps no order of documents', async () => {
    await encodeKept(NOTES, model, home);
    const lengths = lengthsOf(await outgoing(home));
    const neighbours = lengths.filter((length, i) => length + 1 === lengths[i + 1]).length;
    // In the order of the notes there are 39; in a random one about 1.
    expect(neighbours).toBeLessThan(10);
  });

  test('splits segments by size and spreads the notes over them', async () => {
    const report = await encodeKept(NOTES, model, home, { segmentBytes: 3000 });
    expect(report.segments.length).toBeGreaterThan(3);
    for (const sentences of (await outgoing(home)).values()) {
      const lengths = sentences.map(({ labels }) => labels.length);
      if (lengths.length < 5) continue;
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeGreaterThan(lengths.length);
    }
  });

  test('releases the whole text once when it is given twice at the same time', async () => {
    const other = await encodingModelOf(publisher);
    const reports = await Promise.all([
      encodeKept(NOTES, model, home, { segmentBytes: 2000 }),
      encodeKept(NOTES, other, home, { segmentBytes: 2000 }),
    ]);
    expect(reports.map(({ released }) => released).reduce((a, b) => a + b)).toBe(40);
    expect(lengthsOf(await outgoing(home)).sort(ascending)).toEqual(LENGTHS);
  });

  test('stops between segments when asked to, and goes on where it stopped', async () => {
    const controller = new AbortController();
    const stopped = encodeKept(NOTES, model, home, {
      segmentBytes: 2000,
      signal: controller.signal,
      progress: ({ step }) => step === 'encode' && controller.abort(new Error('interrupted')),
    });
    await expect(stopped).rejects.toThrow('interrupted');
    const before = lengthsOf(await outgoing(home)).length;
    expect(before).toBeGreaterThan(0);
    expect(await encodeKept(NOTES, model, home)).toMatchObject({ skipped: before });
    expect(lengthsOf(await outgoing(home)).sort(ascending)).toEqual(LENGTHS);
  });

  test.each([
    ['no bound on releases', { maxReleases: 2 }, { maxReleases: 3 }, /maxReleases is 2 or lower/],
    [
      'a lower least number',
      { minDocuments: 4 },
      { minDocuments: 3 },
      /minDocuments is 4 or higher/,
    ],
    ['no least number', { minDocuments: 4 }, {}, /minDocuments is 4 or higher/],
  ])('refuses %s where earlier jobs kept to a stricter one', async (_, first, laxer, message) => {
    await encodeKept(NOTES.slice(0, 8), model, home, first);
    for (const dryRun of [true, false])
      await expect(encodeKept(NOTES, model, home, { ...laxer, dryRun })).rejects.toMatchObject({
        code: 'bounds-laxer',
        message: expect.stringMatching(message),
      });
    const stricter = await encodeKept(NOTES, model, home, { ...first, minDocuments: 5 });
    expect(stricter.released).toBeGreaterThanOrEqual(32);
  });

  test('is bound by nothing that a dry run was asked for', async () => {
    await encodeKept(NOTES, model, home, { minDocuments: 30, maxReleases: 1, dryRun: true });
    expect(await encodeKept(NOTES.slice(0, 2), model, home)).toMatchObject({ released: 2 });
  });

  test('releases in the ledger alone that it is told to', async () => {
    const { ledger } = await encodeKept(NOTES, model, home);
    expect(await encodeKept(NOTES, model, home, { ledger })).toMatchObject({ ledger, released: 0 });
    const other = `${home}-other`;
    await expect(encodeKept(NOTES, model, other, { ledger })).rejects.toMatchObject({
      code: 'home-missing',
    });
    await encodeKept([], model, other);
    await expect(encodeKept(NOTES, model, other, { ledger })).rejects.toMatchObject({
      code: 'ledger-foreign',
      message: expect.stringContaining(ledger),
    });
  });

  describe('under a least number of documents', () => {
    const LEAST = 20;
    const options = { minDocuments: LEAST };
    const refused = { code: 'documents-too-few' };
    /** One patient's: 25 sentences that stand nowhere else. */
    const single = {
      id: 'new',
      text: WORDS.slice(1)
        .flatMap((word) => [1, 2, 3, 4, 5].map((n) => `${`${word} `.repeat(n)}alpha.`))
        .join('\n\n'),
      spans: [],
    };
    const known = NOTES.slice(0, LEAST);

    test('refuses one new note among many that were released before', async () => {
      expect(await encodeKept(known, model, home, options)).toMatchObject({ released: LEAST });
      const before = await outgoing(home);
      for (const dryRun of [false, true])
        await expect(
          encodeKept([...known, single], model, home, { ...options, dryRun }),
        ).rejects.toMatchObject({
          ...refused,
          message: expect.stringContaining('release: 1, '),
        });
      expect(await outgoing(home)).toEqual(before);
      expect(await encodeKept(known, model, home, options)).toMatchObject({ released: 0 });
    });

    test('refuses it also where the others may be released a second time', async () => {
      const twice = { ...options, maxReleases: 2 };
      await encodeKept(known, model, home, twice);
      await expect(encodeKept([...known, single], model, home, twice)).rejects.toMatchObject(
        refused,
      );
      expect(await encodeKept(known, model, home, twice)).toMatchObject({ released: LEAST });
    });

    test('makes every segment hold something new of so many, beside what is released again', async () => {
      const twice = { ...options, maxReleases: 2, segmentBytes: 100 };
      await encodeKept(known, model, home, twice);
      const before = await outgoing(home);
      await encodeKept(NOTES, model, home, twice);
      const added = [...(await outgoing(home))].filter(([digest]) => !before.has(digest));
      expect(added.length).toBeGreaterThan(0);
      for (const [, sentences] of added) {
        // A length names a note: longer ones are those that the first job had not.
        const fresh = sentences.filter(({ labels }) => labels.length > LEAST + 1);
        expect(new Set(fresh.map(({ labels }) => labels.length)).size).toBeGreaterThanOrEqual(
          LEAST,
        );
      }
    });

    test('takes a copy in another segment of the job for nothing new', async () => {
      const thrice = { ...options, maxReleases: 3, segmentBytes: 100 };
      const copies = [...NOTES, ...NOTES, ...NOTES].map((note, i) => ({ ...note, id: `${i}` }));
      await encodeKept(copies, model, home, { ...thrice, keepMap: true });
      const ledger = await Ledger.open(home);
      ledger.close();
      const releases = [...(await readReleases(home, ledger.key)).values()];
      const fresh = groupedBy(releases, ([first]) => first?.segment);
      const segments = new Set(releases.flat().map(({ segment }) => segment));
      for (const segment of segments)
        expect(fresh.get(segment)?.length).toBeGreaterThanOrEqual(LEAST);
    });

    test('counts neither copies nor empty notes', async () => {
      const others = Array.from({ length: LEAST }, (_, i) => ({
        id: `${i}`,
        text: i % 2 === 0 ? '' : single.text,
        spans: [],
      }));
      for (const maxReleases of [1, LEAST])
        await expect(
          encodeKept([...others, single], model, home, { ...options, maxReleases }),
        ).rejects.toMatchObject(refused);
      expect((await outgoing(home)).size).toBe(0);
    });

    test('makes every segment of so many, so that a job which was stopped can go on', async () => {
      const controller = new AbortController();
      const stopped = encodeKept(NOTES, model, home, {
        ...options,
        segmentBytes: 100,
        signal: controller.signal,
        progress: ({ step }) => step === 'encode' && controller.abort(new Error('interrupted')),
      });
      await expect(stopped).rejects.toThrow('interrupted');
      await encodeKept(NOTES, model, home, options);
      const segments = [...(await outgoing(home)).values()];
      expect(segments.map(({ length }) => length)).toEqual([LEAST, LEAST]);
    });
  });

  test('deletes a segment that the ledger does not know before it begins', async () => {
    await encodeKept(NOTES.slice(0, 3), model, home);
    const orphan = join(home, 'outbox', `${'f'.repeat(64)}.segment`);
    await writeFile(orphan, 'encoded, killed, not in the ledger');
    await encodeKept(NOTES.slice(0, 3), model, home);
    expect(await readdir(join(home, 'outbox'))).toHaveLength(1);
  });

  test('refuses a model for other embeddings, another label scheme or another purpose', async () => {
    await useBackend();
    const trustedKeys = [await readPublicKey(publisher.publicKeyFile)];
    const embeddings = await embeddingsOf(publisher);
    const others = embeddingsFromRows(WORDS, new Float32Array(WORDS.length * 8));
    const refused = { code: 'model-unsuitable' };
    const { representation, pipeline } = publisher;
    await expect(
      openEncodingModel(representation, { trustedKeys, embeddings: others }),
    ).rejects.toMatchObject(refused);
    await expect(
      openEncodingModel(representation, { trustedKeys, embeddings, scheme: 'meddocan' }),
    ).rejects.toMatchObject(refused);
    await expect(openEncodingModel(pipeline, { trustedKeys, embeddings })).rejects.toMatchObject(
      refused,
    );
  });
});
