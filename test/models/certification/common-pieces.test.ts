import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { piecesLike } from '../../../models/certification/common-pieces.js';
import { spansOf } from '../../../models/certification/entity.js';
import { type LabelsOfDocument, piecesOfAll } from './pieces-of-all.js';

const always = () => true;
const never = () => false;

/** A sentence of each document, as often as it has documents. */
function ofDocuments(
  ...groups: readonly (readonly [documents: number, labels: readonly number[]])[]
) {
  let document = 0;
  return groups.flatMap(([documents, labels]) =>
    Array.from({ length: documents }, () => ({
      labels: Uint8Array.from(labels),
      document: document++,
    })),
  );
}

function piecesOf(sentences: readonly LabelsOfDocument[], least: number, tellsLength = never) {
  return piecesOfAll(sentences, least, tellsLength).map((pieces) =>
    pieces.map(({ start, end }) => [start, end]),
  );
}

const outside = (tokens: number) => Array<number>(tokens).fill(0);

describe('pieces with labels that many documents have', () => {
  test('are whole sentences where these are common', () => {
    expect(piecesOf(ofDocuments([3, [0, 1, 2, 0]]), 3)).toEqual([[[0, 4]], [[0, 4]], [[0, 4]]]);
    expect(piecesOf(ofDocuments([1, []]), 3)).toEqual([[]]);
  });

  test('are counted by documents, not by sentences', () => {
    const sentences = ofDocuments([2, [0, 1, 0]]).map((each) => ({ ...each, document: 7 }));
    expect(piecesOf(sentences, 2)).toEqual([[], []]);
    expect(piecesOf(sentences, 1)).toEqual([[[0, 3]], [[0, 3]]]);
  });

  test('are counted by documents with something new, where there is anything new', () => {
    const sentences = ofDocuments([4, [0, 1, 0]]);
    const met = sentences.map((each, i) => ({ ...each, isMet: i < 3 }));
    expect(piecesOf(met, 2)).toEqual([[], [], [], []]);
    expect(piecesOf(met.slice(0, 3), 2)).toEqual([[[0, 3]], [[0, 3]], [[0, 3]]]);
    const two = [...met, { labels: Uint8Array.of(0, 1, 0), document: 9 }];
    expect(piecesOf(two, 2)).toEqual(two.map(() => [[0, 3]]));
  });

  test('are others where an entity goes on from the sentence before', () => {
    const sentences = ofDocuments([1, [2, 0]], [3, [1, 2, 0]], [2, [0]]);
    expect(piecesOf(sentences, 3).slice(0, 2)).toEqual([[[1, 2]], [[0, 3]]]);
  });

  test('are cut at the ends so that a power of two of tokens stays', () => {
    // Before the entity four of six stay, then nothing behind it is too rare.
    const rare = [...outside(6), 1, 0, 0];
    const sentences = ofDocuments([1, rare], [2, [...outside(4), 1, 0, 0]], [2, [0, 0]]);
    expect(piecesOf(sentences, 3)[0]).toEqual([
      [0, 2],
      [2, 9],
    ]);
  });

  test('are cut between entities in the middle of what stands there', () => {
    const sentences = ofDocuments([1, [1, 0, 0, 0, 3]], [2, [1, 0]], [2, [0, 0, 3]]);
    expect(piecesOf(sentences, 3)[0]).toEqual([
      [0, 2],
      [2, 5],
    ]);
  });

  test('leave out an entity that too few documents have, and nothing around it', () => {
    const sentences = ofDocuments([1, [0, 5, 6, 0]], [3, [0]], [3, [1]]);
    expect(piecesOf(sentences, 3)[0]).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  test('take entities of any length for the same, where these lengths tell nothing', () => {
    const sentences = ofDocuments([1, [0, 1]], [1, [0, 1, 2]], [1, [0, 1, 2, 2]]);
    expect(piecesOf(sentences, 3).map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(piecesOf(sentences, 3, always)).toEqual([[[0, 1]], [[0, 1]], [[0, 1]]]);
  });

  const labels = fc
    .array(fc.constantFrom([0], [0], [0], [1], [1, 2], [3], [3, 4, 4]), { maxLength: 12 })
    .map((parts) => Uint8Array.from(parts.flat()));
  const corpora = fc.array(fc.record({ labels, document: fc.nat(6) }), { maxLength: 40 });
  const settings = [corpora, fc.integer({ min: 1, max: 5 }), fc.boolean()] as const;

  test('stand in so many documents each, whatever the labels are', () => {
    fc.assert(
      fc.property(...settings, (sentences, least, tells) => {
        const found = piecesOfAll(sentences, least, () => tells);
        const documents = new Map<string, Set<number>>();
        for (const [i, pieces] of found.entries())
          for (const { start, end } of pieces) {
            const key = shown(sentences[i].labels.subarray(start, end), tells);
            const own = documents.get(key) ?? new Set<number>();
            documents.set(key, own.add(sentences[i].document));
          }
        for (const { size } of documents.values()) expect(size).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  test('follow one another, cut no entity, and leave out what stands in none of them by itself', () => {
    fc.assert(
      fc.property(...settings, (sentences, least, tells) => {
        const found = piecesOfAll(sentences, least, () => tells);
        const kept = new Set(
          found.flatMap((pieces, i) =>
            pieces.map(({ start, end }) => shown(sentences[i].labels.subarray(start, end), tells)),
          ),
        );
        for (const [i, { labels: own }] of sentences.entries()) {
          const inside = new Set(spansOf(own).flatMap(({ start, end }) => range(start + 1, end)));
          let last = 0;
          for (const { start, end } of [...found[i], { start: own.length, end: own.length }]) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(inside.has(start)).toBe(false);
            for (const alone of elementsIn(own, last, start))
              expect(kept.has(shown(alone, tells))).toBe(false);
            last = end;
          }
        }
      }),
    );
  });

  test('are worked out for each sentence by the labels of all pieces', () => {
    fc.assert(
      fc.property(...settings, (sentences, least, tells) => {
        const found = piecesOfAll(sentences, least, () => tells);
        const released = found.flatMap((pieces, i) =>
          pieces.map(({ start, end }) => sentences[i].labels.subarray(start, end)),
        );
        const own = sentences.map((each) => each.labels);
        expect(piecesLike(released, own, () => tells)).toEqual(found);
      }),
    );
  });

  test('are worked out for a sentence that was not among them, too', () => {
    const found = [Uint8Array.of(1, 0), Uint8Array.of(0)];
    const [pieces] = piecesLike(found, [Uint8Array.of(1, 2, 0, 0, 0, 3)], never);
    expect(pieces.map(({ start, end }) => [start, end])).toEqual([
      [0, 3],
      [3, 4],
      [4, 5],
    ]);
  });
});

/** Labels as they are compared. */
function shown(labels: Uint8Array, tells: boolean): string {
  if (tells) return labels.join();
  return labels.filter((label) => label === 0 || label % 2 === 1).join();
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

function elementsIn(labels: Uint8Array, from: number, to: number): Uint8Array[] {
  const spans = spansOf(labels).filter(({ start }) => start >= from && start < to);
  const starts = new Set(spans.map(({ start }) => start));
  const singles = range(from, to).filter((t) => labels[t] === 0 && !starts.has(t));
  return [
    ...spans.map(({ start, end }) => labels.subarray(start, end)),
    ...singles.map((t) => labels.subarray(t, t + 1)),
  ];
}
