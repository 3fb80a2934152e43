import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { joinFindings } from '../../../../../services/institution/deidentify/recognisers/join-findings.js';

const finding = (start: number, end: number, score = 0.5, type = 'A') => ({
  start,
  end,
  score,
  type,
});

test('halves of an address are one, and the longest says what it is', () => {
  const [joined, ...rest] = joinFindings([
    finding(6, 22, 0.9, 'EMAIL by the model'),
    finding(0, 22, 0.8, 'EMAIL by shape'),
  ]);
  expect(rest).toEqual([]);
  expect(joined).toMatchObject({ start: 0, end: 22, score: 0.9 });
  expect(joined?.speaker.type).toBe('EMAIL by shape');
});

test('of two as long, a model says what it is, however sure the shape', () => {
  const place = { start: 3, end: 12 };
  for (const order of [1, -1]) {
    const found = [
      { ...place, score: 0.9, isByShape: true, type: 'PHONE' },
      { ...place, score: 0.5, type: 'FAX' },
    ];
    const [joined] = joinFindings(order === 1 ? found : found.reverse());
    expect([joined?.speaker.type, joined?.score]).toEqual(['FAX', 0.9]);
  }
});

test('findings side by side stay two', () => {
  expect(joinFindings([finding(4, 8), finding(0, 4)])).toHaveLength(2);
});

test('every character that was found is in one finding, and no other is', () => {
  const spans = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 12 })), { maxLength: 15 });
  fc.assert(
    fc.property(spans, (drawn) => {
      const findings = drawn.map(([start, length]) => finding(start, start + length));
      const charactersOf = (all: readonly { start: number; end: number }[]) =>
        all.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i));
      const joined = charactersOf(joinFindings(findings));
      expect(joined).toEqual([...new Set(charactersOf(findings))].sort((a, b) => a - b));
    }),
  );
});
