import { afterEach, expect, jest, test } from '@jest/globals';
import { SESSION_MS } from '../../../../pool-store/members/session-id.js';
import { SessionsInMemory } from '../../../../services/http/pages/sessions-in-memory.js';

afterEach(() => {
  jest.restoreAllMocks();
});

test('a session ends after a working day', () => {
  const sessions = new SessionsInMemory();
  const id = sessions.begin();
  const begun = Date.now();
  expect(sessions.has(id)).toBe(true);
  jest.spyOn(Date, 'now').mockReturnValue(begun + SESSION_MS);
  expect(sessions.has(id)).toBe(false);
});

test('of a hundred sessions the oldest gives way to another', () => {
  const sessions = new SessionsInMemory();
  const ids = Array.from({ length: 101 }, () => sessions.begin());
  expect(ids.filter((id) => !sessions.has(id))).toEqual([ids[0]]);
});

test('what no login gave is no session', () => {
  const sessions = new SessionsInMemory();
  for (const id of ['', 'x'.repeat(43)]) expect(sessions.has(id)).toBe(false);
});
