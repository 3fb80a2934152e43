import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { Servers } from '../../../services/cli/servers.js';
import { describedBy, keptDocument, SERVICES } from '../described.js';
import { DescribedAnswers } from '../described-answers.js';
import { createWorld, serve, type World } from '../world.js';

/**
 * A `default` stands for every error. The paths that look ambiguous have no method in common, and no version is
 * called `aliases`.
 */
const EXCEPTIONS = ['operation-4xx-response', 'no-ambiguous-paths'];

let world: World;
let servers: Servers;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

test.each(['registry', 'pool'] as const)(
  'the %s answers with the document that is kept',
  async (name) => {
    const now = await describedBy(servers.addresses[name] ?? '');
    expect(now).toEqual(keptDocument(name, now));
  },
);

describe.each(SERVICES)('the document of the %s', (name) => {
  const document = keptDocument(name);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

  test('passes the recommended rules of a linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    const kept = problems.filter(({ ruleId }) => !EXCEPTIONS.includes(ruleId));
    expect(kept.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('says of every operation what it answers, or that it answers nothing', () => {
    const silent = operations
      .filter(({ responses }) =>
        Object.entries(responses).some(
          ([status, { content }]) => ['200', '201', '202'].includes(status) && !content,
        ),
      )
      .map(({ method, path }) => `${method} ${path}`);
    expect(silent.filter((each) => !/^(post|head) \/v1\/(uploads|blobs)/.test(each))).toEqual([]);
  });

  test('names every operation once', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('an answer that is held to a document', () => {
  const answers = new DescribedAnswers([keptDocument('pool')]);
  const totals = { contributions: 1, withdrawn: 0, institutions: 1, models: 1 };
  const sums = { segments: 1, sentences: 1, tokens: 1, bytes: 1 };
  const strayOf = (body: unknown, status = 200) =>
    answers.strayOf({ method: 'GET', path: '/v1/statistics', status, body: JSON.stringify(body) });

  test('passes as described', () => {
    expect(strayOf({ ...totals, ...sums })).toBeUndefined();
  });

  test.each([
    ['lacks a field', totals],
    ['has a field more', { ...totals, ...sums, more: 1 }],
    ['has a field of another type', { ...totals, ...sums, bytes: '1' }],
  ])('is refused where it %s', (_, body) => {
    expect(strayOf(body)).toBeDefined();
  });

  test.each(['/$de-identify', '/fhir/$de-identify'])(
    'is a resource of FHIR at %s, and its errors an OperationOutcome',
    (path) => {
      const encoder = new DescribedAnswers([keptDocument('encoder')]);
      const strayOfFhir = (body: unknown, status = 200) =>
        encoder.strayOf({ method: 'POST', path, status, body: JSON.stringify(body) });
      const issue = {
        ...{ severity: 'error', code: 'structure', diagnostics: 'd' },
        ...{ details: { text: 'record-invalid' } },
      };
      expect(strayOfFhir({ resourceType: 'Patient', active: true })).toBeUndefined();
      expect(strayOfFhir({ id: '1' })).toBeDefined();
      const outcome = { resourceType: 'OperationOutcome', issue: [issue] };
      expect(strayOfFhir(outcome, 422)).toBeUndefined();
      expect(strayOfFhir({ code: 'record-invalid' }, 422)).toBeDefined();
    },
  );

  test('is refused where an error is no problem', () => {
    expect(strayOf({ error: 'none' }, 404)).toBeDefined();
  });
});
