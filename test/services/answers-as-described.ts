import { afterAll, expect } from '@jest/globals';
import type { Answered } from './described-answers.js';

/** Servers of this program name every request; whatever else answers in a test is another's. */
const OURS = 'x-request-id';

/** Each once, by all that it is. */
const answers = new Map<string, Answered>();
const fetchAsIs = globalThis.fetch;

/** Every JSON that a server of ours answers in any test is held to its OpenAPI document. */
globalThis.fetch = async (input, init) => {
  const response = await fetchAsIs(input, init);
  const type = response.headers.get('content-type') ?? '';
  if (!response.headers.has(OURS) || !/^application\/((problem|fhir)\+)?json\b/.test(type))
    return response;
  const url = new URL(input instanceof Request ? input.url : input);
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  if (method === 'HEAD') return response;
  const body = await response.clone().text();
  const answer = { method, path: url.pathname, status: response.status, body };
  answers.set(JSON.stringify(answer), answer);
  return response;
};

afterAll(async () => {
  if (answers.size === 0) return;
  // Most tests ask no server, and reading the documents takes a second.
  const { ANSWERS } = await import('./described-answers.js');
  expect([...answers.values()].flatMap((answer) => ANSWERS.strayOf(answer) ?? [])).toEqual([]);
});
