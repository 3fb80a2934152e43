import { describe, expect, test } from '@jest/globals';
import { Random } from '../../../../models/tensor/random.js';
import { originOf, templateDocumentId } from '../../../../models/text/corpus/template-id.js';
import {
  drawDocuments,
  splitDocuments,
  splitOff,
  splitSources,
} from '../../../../models/training/data/split.js';
import { phiconParts } from '../../../../study/augmentation/phicon.js';

const idsOf = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id);
const originsOf = (documents: readonly { readonly id: string }[]) =>
  new Set(documents.map(originOf));

const note = (id: string, text = '') => ({ id, text });

/** Sixty sentences of ten templates, in turn. */
const templated = Array.from({ length: 60 }, (_, i) => ({
  ...{ id: templateDocumentId(i % 10, i + 1), text: '', spans: [] },
}));

describe('originOf', () => {
  test.each([
    ['template-87-1', 'template-87'],
    ['template-a-b-3-12', 'template-a-b-3'],
    ['template-none-2', 'template-none-2'],
    ['S0004-06142005000500011-1', 'S0004-06142005000500011-1'],
    ['001-4', '001-4'],
    ['220-03', 'patient-220'],
  ])('of %s is %s', (id, origin) => {
    expect(originOf({ id })).toBe(origin);
  });

  test('parts no two documents of one template', () => {
    expect(originOf({ id: templateDocumentId(7, 1) })).toBe(
      originOf({ id: templateDocumentId(7, 2) }),
    );
    expect(originOf({ id: templateDocumentId(null, 1) })).not.toBe(
      originOf({ id: templateDocumentId(null, 2) }),
    );
  });
});

describe('splitDocuments', () => {
  test('holds out whole templates, in the order that documents had', () => {
    const { train, validation } = splitDocuments(templated, 0.2, new Random(1));
    expect(originsOf(validation).size).toBe(2);
    expect(validation).toHaveLength(12);
    expect([...originsOf(train)].some((origin) => originsOf(validation).has(origin))).toBe(false);
    const order = idsOf(templated);
    for (const part of [train, validation])
      expect(idsOf(part)).toEqual(order.filter((id) => idsOf(part).includes(id)));
  });

  test('keeps the copies of a note together', () => {
    const notes = Array.from({ length: 12 }, (_, i) => note(`note-${i}`));
    const { train, validation } = splitDocuments([...notes, ...notes], 0.25, new Random(2));
    expect(validation).toHaveLength(6);
    expect(idsOf(train).some((id) => idsOf(validation).includes(id))).toBe(false);
  });

  test('keeps together what is nearly the same, and what hangs together by that', () => {
    const sentence = (what: string) =>
      `The applicant complained under several articles that ${what} had lasted for a very long time.`;
    const text = (...whats: string[]) => whats.map(sentence).join('\n\n');
    const chained = [
      note('one', text('one', 'two', 'three')),
      note('apart', text('four', 'five', 'six')),
      note('bridge', text('one', 'two', 'three', 'seven', 'eight', 'nine')),
      note('far', text('seven', 'eight', 'nine')),
    ];
    for (const seed of [1, 2, 3, 4]) {
      const { train, validation } = splitDocuments(chained, 0.5, new Random(seed));
      expect([idsOf(train), idsOf(validation)]).toContainEqual(['apart']);
      const { drawn, others } = drawDocuments(chained, 1, new Random(seed));
      expect([idsOf(drawn), idsOf(others)]).toContainEqual(['one', 'bridge', 'far']);
    }
  });

  test('keeps the records of a patient of i2b2 2014 together', () => {
    const ids = ['220-01', '220-02', '220-03', '221-01', '222-01'];
    const records = ids.map((id) => note(id));
    for (const seed of [1, 2, 3, 4]) {
      const { validation } = splitDocuments(records, 0.3, new Random(seed));
      expect([1, 3]).toContain(validation.length);
    }
  });

  test('leaves something on both sides, however large the share', () => {
    const { train, validation } = splitDocuments([note('a'), note('b')], 0.9, new Random(1));
    expect([train.length, validation.length]).toEqual([1, 1]);
  });

  test('refuses documents of one origin, and says what would help', () => {
    const copies = Array.from({ length: 4 }, () => note('note'));
    for (const documents of [copies, copies.slice(0, 1)])
      expect(() => splitDocuments(documents, 0.5, new Random(1), 'notes of south')).toThrow(
        expect.objectContaining({
          code: 'corpus-invalid',
          message: expect.stringMatching(
            /^notes of south: found \d documents? of 1 origin, .* expected 2 origins or more; add/,
          ),
        }),
      );
  });

  test('parts documents that have nothing in common as single ones are', () => {
    const notes = Array.from({ length: 30 }, (_, i) => note(`${i}`));
    expect(splitDocuments(notes, 0.1, new Random(3))).toEqual(splitOff(notes, 0.1, new Random(3)));
  });
});

describe('splitSources', () => {
  const notes = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => note(`${from + i}`));
  const sourcesOf = (...lists: readonly { id: string; text: string }[][]) =>
    lists.map((documents, i) => ({ documents, random: new Random(i + 1), what: `source ${i}` }));
  const heldIn = (parts: readonly { validation: readonly { id: string }[] }[]) =>
    parts.map(({ validation }) => idsOf(validation));

  test('draws a share of each source as of one alone', () => {
    const [one, other] = [notes(0, 20), notes(20, 60)];
    expect(splitSources(sourcesOf(one, other), 0.1)).toEqual([
      splitDocuments(one, 0.1, new Random(1)),
      splitDocuments(other, 0.1, new Random(2)),
    ]);
  });

  test('parts no note from its copy in another source', () => {
    const parts = splitSources(sourcesOf(notes(0, 40), notes(20, 60), notes(0, 40)), 0.1);
    const held = new Set(heldIn(parts).flat());
    expect(parts.flatMap(({ train }) => idsOf(train)).filter((id) => held.has(id))).toEqual([]);
    const [first, second, third] = heldIn(parts);
    expect(first).toHaveLength(4);
    expect(second).toHaveLength(4);
    expect(third).toEqual(first);
  });

  test('draws no more of a source than it lacks of its share', () => {
    for (const shared of [19, 20, 30, 40]) {
      const lists = [notes(0, 40), notes(40 - shared, 80 - shared), notes(0, 80 - shared)];
      const [first, second, third] = heldIn(splitSources(sourcesOf(...lists), 0.1));
      expect([first?.length, second?.length]).toEqual([4, 4]);
      expect(new Set(third)).toEqual(new Set([...(first ?? []), ...(second ?? [])]));
    }
  });

  test('parts no two records of a patient in two sources', () => {
    const recordsOf = (number: string) =>
      Array.from({ length: 20 }, (_, i) => note(`${100 + i}-${number}`));
    const parts = splitSources(sourcesOf(recordsOf('01'), recordsOf('02')), 0.1);
    const [first, second] = parts.map(({ validation }) => [...originsOf(validation)]);
    expect(first).toHaveLength(2);
    expect(second).toEqual(first);
  });

  test('says which source is of one origin', () => {
    expect(() => splitSources(sourcesOf(notes(0, 20), [note('0'), note('0')]), 0.1)).toThrow(
      /^source 1: found 2 documents of 1 origin/,
    );
  });
});

describe('drawDocuments', () => {
  test('draws so many single documents, as a share of so many is split off', () => {
    const notes = Array.from({ length: 30 }, (_, i) => note(`${i}`));
    const { drawn, others } = drawDocuments(notes, 12, new Random(3));
    const { train, validation } = splitOff(notes, 12 / 30, new Random(3));
    expect([drawn, others]).toEqual([validation, train]);
  });

  test('draws whole templates, and more where that takes more', () => {
    const { drawn, others } = drawDocuments(templated, 8, new Random(1));
    expect([drawn.length, others.length]).toEqual([12, 48]);
    expect([...originsOf(drawn)].some((origin) => originsOf(others).has(origin))).toBe(false);
  });

  test('refuses to draw all that there is', () => {
    expect(() => drawDocuments(templated, 55, new Random(1))).toThrow(
      expect.objectContaining({ code: 'corpus-invalid' }),
    );
  });
});

describe('the parts of PHICON', () => {
  test('have no template in common', () => {
    const { train, validation, test: measured } = phiconParts(templated, new Random(1));
    expect([train, validation, measured].map((part) => part.length)).toEqual([42, 6, 12]);
    expect(
      new Set([train, validation, measured].flatMap((part) => [...originsOf(part)])).size,
    ).toBe(10);
    const origins = [train, validation, measured].map(originsOf);
    expect(origins.reduce((sum, { size }) => sum + size, 0)).toBe(10);
  });
});
