import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  anonymize,
  parseAnonymizeRequest,
} from '../../../../../services/institution/deidentify/presidio/anonymize.js';
import {
  CodePoints,
  codePointsOf,
} from '../../../../../services/institution/deidentify/presidio/code-points.js';

const finding = (start: number, end: number, entity_type: string, score = 0.5) => ({
  start,
  end,
  entity_type,
  score,
});

describe('of findings that overlap', () => {
  test('those of one type are one, as in Presidio', () => {
    const analyzer_results = [finding(3, 9, 'PERSON'), finding(6, 14, 'PERSON', 0.9)];
    const { text, items } = anonymize({ text: 'Mr Jane A. Doe is here', analyzer_results });
    expect(text).toBe('Mr <PERSON> is here');
    expect(items).toHaveLength(1);
  });

  test('one within another is left to it, and of two on the same characters the surer stays', () => {
    const analyzer_results = [
      finding(0, 8, 'A'),
      finding(2, 4, 'B', 0.9),
      finding(9, 12, 'C', 0.2),
      finding(9, 12, 'D', 0.8),
    ];
    expect(anonymize({ text: 'abcdefgh ijk', analyzer_results }).text).toBe('<A> <D>');
  });

  test('of two that overlap the first stays whole where it alone is kept, as in Presidio', () => {
    const analyzer_results = [finding(4, 21, 'NAME'), finding(11, 33, 'LOCATION')];
    const text = "I'm George Washington Square Park";
    const anonymized = (anonymizers: Record<string, { type: 'keep' | 'replace' }>) =>
      anonymize({ text, analyzer_results, anonymizers }).text;
    expect(anonymized({ NAME: { type: 'keep' } })).toBe("I'm George Washington<LOCATION>");
    expect(anonymized({ LOCATION: { type: 'keep' } })).toBe("I'm <NAME>Washington Square Park");
  });

  test('nothing that was found is left, and nothing else is lost', () => {
    const text = 'abcdefghijklmnopqrst';
    const spans = fc.array(
      fc.tuple(fc.nat(19), fc.nat(19), fc.constantFrom('A', 'B', 'C'), fc.double({ noNaN: true })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(spans, (drawn) => {
        const analyzer_results = drawn.map(([a, b, type, score]) =>
          finding(Math.min(a, b), Math.max(a, b) + 1, type, score),
        );
        const anonymizers = { DEFAULT: { type: 'redact' as const } };
        const kept = [...text].filter(
          (_, at) => !analyzer_results.some(({ start, end }) => start <= at && at < end),
        );
        expect(anonymize({ text, analyzer_results, anonymizers }).text).toBe(kept.join(''));
      }),
    );
  });
});

test.each(['__proto__', 'constructor', 'toString'])('a type may be called %s', (entity_type) => {
  const analyzer_results = [finding(0, 1, entity_type)];
  for (const anonymizers of [{}, { DEFAULT: { type: 'redact' as const } }])
    expect(anonymize({ text: 'ab', analyzer_results, anonymizers }).text).toMatch(/^(<.*>)?b$/);
});

test('takes as many findings as a large text may have, and no more', () => {
  const of = (count: number) => ({
    text: 'a '.repeat(count),
    analyzer_results: Array.from({ length: count }, (_, i) => finding(2 * i, 2 * i + 1, 'A')),
  });
  expect(anonymize(parseAnonymizeRequest(of(100_000))).text).toBe('<A> '.repeat(100_000));
  expect(() => parseAnonymizeRequest(of(100_001))).toThrow(/analyzer_results/);
});

test('offsets count code points, wherever the text has pairs or halves of them', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00') }), (text) => {
      const points = new CodePoints(text);
      const units = [0];
      for (const point of text) units.push((units.at(-1) ?? 0) + point.length);
      expect(points.length).toBe([...text].length);
      expect(codePointsOf(text)).toBe(points.length);
      expect(units.map((unit) => points.pointsBefore(unit))).toEqual(units.map((_, i) => i));
      expect(units.map((_, i) => points.unitAt(i))).toEqual(units);
    }),
  );
});
