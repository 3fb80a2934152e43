import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { servedWorld } from '../served-world.js';
import { createWorld, serve } from '../world.js';

const site = servedWorld();

describe('a request', () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${site.pool}/v1/snapshots`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${site.world.tokens.consumer}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body,
    });

  test.each([
    ['that is not JSON', '{', {}, 'request-invalid'],
    ['with an unknown field', '{"secret":1}', {}, 'request-invalid'],
    ['that nests without end', `{"a":${'['.repeat(9e4)}${']'.repeat(9e4)}}`, {}, 'request-invalid'],
    ['that says it is compressed', '{}', { 'Content-Encoding': 'gzip' }, 'request-invalid'],
    ['of another type', '{}', { 'Content-Type': 'text/plain' }, 'request-invalid'],
    ['of three million bytes', ' '.repeat(3_000_000), {}, 'body-too-large'],
  ])('%s is refused', async (_, body, headers, code) => {
    const response = await post(body, headers);
    expect(response.headers.get('content-type')).toMatch('application/problem+json');
    expect(await response.json()).toEqual(expect.objectContaining({ code }));
  });

  test('whose body is not called JSON is told how to say that it is', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect(await (await post('{}', { 'Content-Type': type })).json()).toMatchObject({
        code: 'request-invalid',
        detail: expect.stringContaining('Content-Type: application/json'),
      });
  });

  test('never shows its body, query, path or token in the log or in metrics', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(line) });
    const other = await createWorld();
    const logged = await serve(other, { logger });
    const secret = 'canary-5XQ2ZR81';
    await fetch(`${logged.addresses.pool}/v1/snapshots/${secret}?format=${secret}`, {
      headers: { Authorization: `Bearer ${secret}`, 'X-Secret': secret },
    });
    await fetch(`${logged.addresses.pool}/v1/snapshots`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${other.tokens.consumer}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ [secret]: secret }),
    });
    const headers = { Authorization: `Bearer ${other.tokens.monitor}` };
    const metrics = await (await fetch(`${logged.addresses.pool}/metrics`, { headers })).text();
    await logged.close();
    other.remove();
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join('')).not.toContain(secret);
    expect(lines.join('')).not.toContain(other.tokens.consumer);
    expect(metrics).toContain('tacet_requests_total');
    expect(metrics).not.toContain(secret);
  });
});
