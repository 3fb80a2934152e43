import { afterAll, expect } from '@jest/globals';
import { ANSWERS } from './described-answers.js';

/** Servers of this program name every request; whatever else answers in a test is another's. */
const OURS = 'x-request-id';

const strays: string[] = [];
const fetchAsIs = globalThis.fetch;

/** Every JSON that a server of ours answers in any test is held to its OpenAPI document. */
globalThis.fetch = async (input, init) => {
  const response = await fetchAsIs(input, init);
  const type = response.headers.get('content-type') ?? '';
  if (!response.headers.has(OURS) || !/^application\/(problem\+)?json\b/.test(type))
    return response;
  const url = new URL(input instanceof Request ? input.url : input);
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  if (method === 'HEAD') return response;
  const body = await response.clone().text();
  const stray = ANSWERS.strayOf({ method, path: url.pathname, status: response.status, body });
  if (stray) strays.push(stray);
  return response;
};

afterAll(() => {
  expect(strays).toEqual([]);
});
