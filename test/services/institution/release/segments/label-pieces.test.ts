import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../../../models/surrogates/create-inventory.js';
import { scoped } from '../../../../../models/tensor/scoped.js';
import type { Document } from '../../../../../models/text/document.js';
import { textExamples } from '../../../../../models/training/data/examples.js';
import { groupedBy } from '../../../../../platform/grouped-by.js';
import { decodeElements } from '../../../../../proto/element.js';
import type { EncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import { encode } from '../../../../../services/institution/release/encode.js';
import { ELEMENT_TYPE } from '../../../../../services/institution/release/encoding/encoding-threads.js';
import { Ledger } from '../../../../../services/institution/release/ledger/ledger.js';
import { readReleases } from '../../../../../services/institution/release/segments/release-map.js';
import { sharedReleases } from '../../../../../services/workflows/audit/shared-releases.js';
import { lengthsOf, outgoing, WORDS } from '../../notes.js';
import { inNewHomes } from '../in-new-homes.js';

/** A note for each number, of one line in which NAME stands for a labelled name. */
function notes(count: number, line: string): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const name = `name${'x'.repeat(i % 9)}`;
    const start = line.indexOf('NAME');
    const spans = start < 0 ? [] : [{ type: 'PHI', start, end: start + name.length }];
    return { id: `${line}-${i}`, text: line.replace('NAME', name).replace('#', `${i}`), spans };
  });
}

describe('labels that leave', () => {
  let model: EncodingModel;
  let home: string;
  let newHome: () => string;
  inNewHomes((setting) => {
    ({ model, home, newHome } = setting);
  });

  const map = async (of: string) => {
    const ledger = await Ledger.open(of);
    ledger.close();
    return readReleases(of, ledger.key);
  };
  const only = (word: string) =>
    createInventory(model.scheme, { lists: [{ name: 'one', type: 'PHI', text: word }] });

  test('are those of ten notes at least, where nobody states how many', async () => {
    const documents = [...notes(10, '# beta NAME.'), ...notes(9, 'alpha # gamma delta NAME.')];
    const inventory = await only('zeta');
    const report = await encode(documents, model, home, { inventory });
    // Two tokens are cut off [0, 0, 0, 0, NAME, 0], then it is like the others; nine notes have two alone, or one.
    expect(report).toMatchObject({ labelDocuments: 10, released: 19, skipped: 0 });
    const found = [...(await outgoing(home)).values()].flat();
    const kinds = groupedBy(found, ({ labels }) => `${labels}`);
    expect([...kinds].map(([labels, alike]) => [labels, alike.length])).toEqual([['0,0,1,0', 19]]);
    expect(report).toMatchObject({ pieces: 19, tokens: 76, uncommon: 18 });
  });

  test('of a job of too few notes are no reason to leave anything', async () => {
    const documents = notes(4, 'alpha # NAME beta.');
    await expect(encode(documents, model, home)).rejects.toMatchObject({
      code: 'documents-too-few',
    });
    expect(await encode(documents, model, home, { labelDocuments: 4 })).toMatchObject({
      ...{ released: 4, pieces: 4, uncommon: 0 },
    });
  });

  test.each([
    ['labels of two notes', { labelDocuments: 2 }],
    ['two notes with something new', { labelDocuments: 1, minDocuments: 2 }],
  ])(
    'of a job that is read in portions leave from those that hold %s, and stay from the others',
    async (_, options) => {
      const count = 100;
      // Some portions hold one sentence, and among so many one holds two for all practical purposes.
      const job = { ...options, mostSentences: 1 };
      const report = await encode(notes(count, 'alpha # NAME beta.'), model, home, job);
      expect(report.released).toBeGreaterThan(0);
      expect(report.withheld).toBeGreaterThan(0);
      expect(report.released + report.withheld).toBe(count);
      const segments = await outgoing(home);
      expect(lengthsOf(segments)).toHaveLength(report.released);
      for (const sentences of segments.values()) expect(sentences.length).toBeGreaterThan(1);
      const refused = { code: 'documents-too-few' };
      const few = encode(notes(4, 'alpha # NAME beta.'), model, newHome(), {
        ...{ labelDocuments: 5, minDocuments: 5, mostSentences: 1 },
      });
      await expect(few).rejects.toMatchObject(refused);
    },
  );

  test('leave whole where entities are kept, unless somebody states how many notes have them', async () => {
    const documents = notes(4, 'alpha # NAME beta.');
    const kept = { entities: 'kept' } as const;
    expect(await encode(documents, model, home, kept)).toMatchObject({
      ...{ labelDocuments: 1, released: 1, pieces: 1 },
    });
  });

  test('are those of notes, not of their copies', async () => {
    const documents = notes(4, 'alpha # NAME beta.');
    const options = { copies: 3, labelDocuments: 5 };
    await expect(encode(documents, model, home, options)).rejects.toMatchObject({
      code: 'documents-too-few',
    });
  });

  test('are never of fewer notes than before', async () => {
    await encode(notes(5, 'alpha # NAME beta.'), model, home, { labelDocuments: 5 });
    const later = notes(5, 'gamma # NAME beta.');
    await expect(encode(later, model, home, { labelDocuments: 4 })).rejects.toMatchObject({
      code: 'bounds-laxer',
    });
    expect(await encode(later, model, home, { labelDocuments: 5 })).toMatchObject({ released: 5 });
  });

  test('are counted alike by a dry run, which lets nothing leave', async () => {
    const documents = [...notes(5, '# beta NAME.'), ...notes(4, 'alpha # gamma delta NAME.')];
    const options = { labelDocuments: 5 };
    const dry = await encode(documents, model, home, { ...options, dryRun: true });
    expect(dry).toMatchObject({ released: 0, pieces: 0, releasable: 9 });
    const { uncommon } = await encode(documents, model, home, options);
    expect(dry.uncommon).toBe(uncommon);
    expect(uncommon).toBeGreaterThan(0);
  });

  test('do not change what is encoded: the whole sentence, then it is cut', async () => {
    const rare = notes(600, 'alpha beta NAME # gamma');
    const documents = [...rare, ...notes(200, 'beta NAME #')];
    const inventory = await only('zeta');
    const options = { ...{ inventory, labelDocuments: 700 }, ...{ maxAlike: 1000, keepMap: true } };
    const report = await encode(documents, model, home, options);
    // What stays of [0, 0, NAME, 0, 0] is [0, NAME, 0], which eight hundred notes have.
    expect(report).toMatchObject({ released: 800, pieces: 800, tokens: 2400, uncommon: 1200 });
    expect(new Set(lengthsOf(await outgoing(home)))).toEqual(new Set([3]));
    const { dimension } = model.representation.config;
    const sums = new Float64Array(dimension);
    for (const { vectors } of [...(await outgoing(home)).values()].flat())
      decodeElements(vectors, ELEMENT_TYPE)
        .subarray(0, dimension)
        .forEach((value, k) => {
          sums[k] += value / 800;
        });
    // Six hundred of the first tokens stood behind another, two hundred began their sentence.
    const expected = (shares: readonly (readonly [share: number, text: string, token: number])[]) =>
      shares.reduce((mean, [share, text, token]) => {
        const own = meanOf(model, text).subarray(token * dimension, (token + 1) * dimension);
        return mean.map((value, k) => value + share * (own[k] as number));
      }, new Float64Array(dimension));
    const whole = expected([
      [0.75, 'alpha beta zeta 7 gamma', 1],
      [0.25, 'beta zeta 7', 0],
    ]);
    const cut = expected([[1, 'beta zeta 7', 0]]);
    expect(distance(sums, whole)).toBeLessThan(distance(sums, cut));
  });

  test('are joined again for an audit of the release, as they were cut', async () => {
    // Without an entity, sentences that are one to the model leave once.
    const unlabelled = WORDS.flatMap((word) => notes(1, `${word} gamma delta.`));
    const documents = [...notes(5, 'NAME # beta gamma.'), ...unlabelled];
    const inventory = await only('zeta');
    const more = {
      ...{ id: 'more', text: 'name alpha beta gamma delta zeta alpha beta.' },
      spans: [{ type: 'PHI', start: 0, end: 4 }],
    };
    const options = { inventory, labelDocuments: 5, keepMap: true };
    await encode([...documents, more], model, home, options);
    const seen = [{ ...more, text: more.text.replace('name', 'zeta') }];
    const examples = textExamples(seen, model.scheme, model.vocabulary);
    const place = { segments: join(home, 'outbox'), home, signal: new AbortController().signal };
    const { vectors, pieces } = await sharedReleases(model, examples, place);
    const [example] = examples;
    expect(example && vectors.get(example)?.length).toBe(9 * model.representation.config.dimension);
    expect(example && pieces.get(example)).toEqual([
      { start: 0, end: 5 },
      { start: 5, end: 9 },
    ]);
  });

  test('of which some stayed are told apart for an audit from those that left whole', async () => {
    const inventory = await only('zeta');
    const lines = ['# beta NAME.', 'alpha # gamma delta NAME.'] as const;
    const options = { inventory, labelDocuments: 5, keepMap: true };
    await encode([...notes(5, lines[0]), ...notes(4, lines[1])], model, home, options);
    const examplesOf = (line: string) =>
      textExamples(
        notes(1, line).map((each) => ({ ...each, text: each.text.replace('name', 'zeta') })),
        model.scheme,
        model.vocabulary,
      );
    const [whole, part] = [examplesOf(lines[0]), examplesOf(lines[1])];
    const place = { segments: join(home, 'outbox'), home, signal: new AbortController().signal };
    const { vectors, partial } = await sharedReleases(model, [...whole, ...part], place);
    expect([...vectors.keys()]).toEqual(whole);
    expect([...partial]).toEqual(part);
  });

  test('are in no map of an earlier version, which is said', async () => {
    const inventory = await only('zeta');
    const options = { inventory, labelDocuments: 5, keepMap: true };
    await encode(notes(5, 'alpha # NAME beta.'), model, home, options);
    await appendFile(join(home, 'release-map.jsonl'), '{"segment":"a","sentences":["b"]}\n');
    await expect(map(home)).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringMatching(/line 2: an earlier version wrote it/),
    });
  });

  test('are told by their map to nobody without the key', async () => {
    const inventory = await only('zeta');
    const options = { inventory, labelDocuments: 5, keepMap: true };
    const other = newHome();
    for (const each of [home, other])
      await encode(notes(5, 'alpha # NAME beta.'), model, each, options);
    const [releases] = (await map(home)).values();
    const [name] = (await map(home)).keys();
    const file = join(home, 'release-map.jsonl');
    const text = await readFile(file, 'utf8');
    const { sealed, ...clear } = JSON.parse(text);
    expect(clear).toEqual({ segment: releases?.[0]?.segment });
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain(name);
    const foreign = await readFile(join(other, 'release-map.jsonl'), 'utf8');
    const moved = text.replace(clear.segment, 'f'.repeat(64));
    for (const damaged of [foreign, moved, text.replace(sealed, sealed.slice(4))]) {
      await writeFile(file, damaged);
      await expect(map(home)).rejects.toMatchObject({
        code: 'file-unreadable',
        message: expect.stringMatching(/line 1: not encrypted with the key of the ledger/),
      });
    }
  });
});

/** f(E(x)) [T·d] of a sentence. */
function meanOf({ representation, vocabulary, scheme }: EncodingModel, text: string): Float32Array {
  const [{ ids } = { ids: new Int32Array() }] = textExamples(
    [{ id: '', text, spans: [] }],
    scheme,
    vocabulary,
  );
  return scoped(() => {
    const x = representation.embed(vocabulary, ids, ids.length);
    const mean = representation.mean(x, Int32Array.of(ids.length));
    return Float32Array.from(mean.dataSync<'float32'>());
  });
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.hypot(...a.map((value, k) => value - (b[k] as number)));
}
