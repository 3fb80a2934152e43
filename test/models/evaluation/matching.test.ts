import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { agreementOf } from '../../../models/evaluation/agreement.js';
import { matchExactly, matchRelaxed } from '../../../models/evaluation/matching.js';
import { matchMerged } from '../../../models/evaluation/merged-spans.js';
import type { Span } from '../../../models/text/document.js';

const span = (start: number, end: number, type = 'A'): Span => ({ type, start, end });

const TEXT = 'a b, c-d e. f';
const spans = fc
  .uniqueArray(
    fc.record({
      type: fc.constantFrom('A', 'B'),
      start: fc.nat(TEXT.length - 1),
      length: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 5, selector: ({ type, start, length }) => `${type}${start}-${length}` },
  )
  .map((drawn) =>
    drawn
      .map(({ type, start, length }) => span(start, Math.min(TEXT.length, start + length), type))
      .sort((a, b) => a.start - b.start || a.end - b.end),
  );

const same = (a: Span, b: Span) => a.start === b.start && a.end === b.end;
const unique = (items: readonly Span[], alike: (a: Span, b: Span) => boolean) =>
  items.filter((item, at) => !items.slice(0, at).some((before) => alike(before, item)));

describe('matching', () => {
  test('exact agreement counts what a search over all pairs counts', () => {
    fc.assert(
      fc.property(spans, spans, (gold, system) => {
        const wanted = unique(gold, same);
        const found = unique(system, same);
        const tp = found.filter((item) => wanted.some((other) => same(item, other))).length;
        expect(matchExactly(gold, system)).toEqual({
          tp,
          fp: found.length - tp,
          fn: wanted.length - tp,
        });
      }),
    );
  });

  test('typed counts are those of each type on its own', () => {
    fc.assert(
      fc.property(spans, spans, (gold, system) => {
        const { micro, perType, binary } = agreementOf(gold, system, matchExactly);
        const [a, b] = ['A', 'B'].map((type) =>
          matchExactly(
            gold.filter((item) => item.type === type),
            system.filter((item) => item.type === type),
          ),
        );
        expect(perType.get('A') ?? matchExactly([], [])).toEqual(a);
        expect(micro.tp).toBe((a?.tp ?? 0) + (b?.tp ?? 0));
        expect(micro.tp).toBeLessThanOrEqual(binary.tp + Math.min(gold.length, system.length));
      }),
    );
  });

  test('a relaxed match lets the end be two characters off, not the start', () => {
    expect(matchRelaxed([span(0, 5)], [span(0, 7)])).toEqual({ tp: 1, fp: 0, fn: 0 });
    expect(matchRelaxed([span(0, 5)], [span(0, 8)])).toEqual({ tp: 0, fp: 1, fn: 1 });
    expect(matchRelaxed([span(0, 5)], [span(1, 5)])).toEqual({ tp: 0, fp: 1, fn: 1 });
    expect(matchRelaxed([span(0, 5)], [span(0, 3), span(0, 7)])).toEqual({ tp: 1, fp: 0, fn: 0 });
    expect(matchRelaxed([span(0, 5)], [span(0, 4), span(0, 5)])).toEqual({ tp: 1, fp: 0, fn: 0 });
  });

  test('relaxed agreement finds all that exact agreement finds where starts differ', () => {
    fc.assert(
      fc.property(spans, spans, (gold, system) => {
        const oneAStart = (items: readonly Span[]) => unique(items, (a, b) => a.start === b.start);
        const exact = matchExactly(oneAStart(gold), oneAStart(system));
        const relaxed = matchRelaxed(oneAStart(gold), oneAStart(system));
        expect(relaxed.tp).toBeGreaterThanOrEqual(exact.tp);
        expect(relaxed.tp + relaxed.fn).toBe(exact.tp + exact.fn);
        expect(relaxed.tp + relaxed.fp).toBe(exact.tp + exact.fp);
      }),
    );
  });
});

describe('merged spans', () => {
  const merged = (gold: readonly Span[], system: readonly Span[]) =>
    matchMerged({ id: 'x', text: TEXT, spans: gold }, { id: 'x', text: TEXT, spans: system });

  test('parts that only punctuation or white space divides are as good as the whole', () => {
    expect(merged([span(0, 3)], [span(0, 1), span(2, 3)])).toEqual({ tp: 1, fp: 0, fn: 0 });
    expect(merged([span(5, 8)], [span(5, 6), span(7, 8)])).toEqual({ tp: 1, fp: 0, fn: 0 });
  });

  test('parts that a letter divides are not', () => {
    expect(merged([span(0, 6)], [span(0, 1), span(5, 6)])).toEqual({ tp: 0, fp: 2, fn: 1 });
  });

  test('equal spans agree, whatever their types, and nothing is lost', () => {
    fc.assert(
      fc.property(spans, spans, (gold, system) => {
        const { tp, fp, fn } = merged(gold, system);
        const strict = matchExactly(gold, system);
        expect(tp).toBeGreaterThanOrEqual(strict.tp);
        expect(fp).toBeLessThanOrEqual(strict.fp);
        expect(fn).toBeLessThanOrEqual(strict.fn);
        const other = gold.map((item) => ({ ...item, type: 'Z' }));
        expect(merged(other, gold)).toMatchObject({ fp: 0, fn: 0 });
      }),
    );
  });
});
