import { expect, test } from '@jest/globals';
import { daysSinceLast, isOldBirth, lastLived } from '../../../models/surrogates/note-days.js';

const visit = { year: 2026, month: 11, day: 30 };
const birth = { year: 1950, month: 3, day: 12 };
const planned = { year: 2027, month: 1, day: 15 };

test.each([
  ['in Manila, where its day began before UTC', '2026-11-29T22:30Z', 0],
  ['on Kiritimati at midnight', '2026-11-29T10:00Z', 0],
  ['in Los Angeles, before UTC begins the next day', '2026-11-30T23:59Z', 0],
  ['in Los Angeles, where it still is when UTC has begun the next day', '2026-12-01T03:00Z', 0],
  ['where the next day has begun everywhere', '2026-12-01T12:00Z', 1],
  ['of a month before', '2026-12-31T12:00Z', 31],
])('a note of the day, %s', (_, now, days) => {
  expect(daysSinceLast([birth, visit, planned], Date.parse(now))).toBe(days);
});

test('a month and a year end with their last day, or today', () => {
  const now = Date.parse('2026-11-30T12:00Z');
  const month = { year: 2026, month: 10, day: undefined };
  const year = { year: 2026, month: undefined, day: undefined };
  expect(daysSinceLast([birth, month], now)).toBe(30);
  expect(daysSinceLast([birth, month, year], now)).toBe(0);
  expect(daysSinceLast([planned], now)).toBe(0);
});

test('somebody may be older than 89 from the day on on which they are it somewhere', () => {
  const now = Date.parse('2026-11-29T22:30Z');
  const last = lastLived([{ year: 1936, month: 11, day: 30 }], now);
  expect(isOldBirth({ year: 1936, month: 11, day: 30 }, last)).toBe(true);
  expect(isOldBirth({ year: 1936, month: 12, day: 1 }, last)).toBe(false);
});
