import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { ServiceClient } from '../../../services/client/client.js';
import { createEncoderApp } from '../../../services/encoder/encoder-app.js';
import { NO_CONTENT } from '../../../services/http/answer.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { route } from '../../../services/http/route.js';
import { listen } from '../../../services/http/server.js';
import { describedBy, keptDocument } from '../described.js';
import { WORDS } from '../institution/notes.js';
import { type Answer, NOTES, post, ServedEncoder } from './served-encoder.js';

const TOKEN = 'a-token-of-more-than-sixteen';

describe('the encoder over HTTP', () => {
  const encoder = new ServedEncoder();
  const serving: ServedEncoder['serving'] = (...given) => encoder.serving(...given);

  test('encodes documents once, and answers with counts', () =>
    serving(async (url) => {
      const encode = () => post(`${url}/v1/encode`, { documents: NOTES });
      expect(await encode()).toMatchObject({ status: 200, body: { released: 30, skipped: 0 } });
      expect(await encode()).toMatchObject({ body: { released: 0, skipped: 30 } });
      const dry = await post(`${url}/v1/encode`, { documents: NOTES, dryRun: true });
      expect(dry.body).toMatchObject({ releasable: 0, released: 0 });
    }));

  test.each(['/$de-identify', '/fhir/$de-identify'])('answers the FHIR operation %s', (path) =>
    serving(async (url) => {
      const headers = { 'Content-Type': 'application/fhir+json' };
      const resource = {
        ...{ resourceType: 'DiagnosticReport', id: 'r', status: 'final' },
        ...{ conclusion: 'Write to ann.lee@example.com.', subject: { reference: 'Patient/7' } },
      };
      const parameters = {
        ...{ resourceType: 'Parameters', parameter: [{ name: 'resource', resource }] },
      };
      for (const body of [resource, parameters]) {
        const answer = await fetch(url + path, {
          ...{ method: 'POST', headers, body: JSON.stringify(body) },
        });
        expect(answer.headers.get('content-type')).toMatch(/^application\/fhir\+json/);
        expect(await answer.json()).toMatchObject({
          resourceType: 'DiagnosticReport',
          conclusion: expect.not.stringContaining('ann.lee'),
          subject: { reference: expect.stringMatching(/^Patient\/[0-9a-f]{32}$/) },
        });
      }
      const refused = await fetch(url + path, {
        ...{ method: 'POST', headers, body: JSON.stringify({ resourceType: 'Zacarias' }) },
      });
      expect(refused.status).toBe(422);
      expect(refused.headers.get('content-type')).toMatch(/^application\/fhir\+json/);
      expect(await refused.json()).toMatchObject({
        ...{ resourceType: 'OperationOutcome', issue: [{ code: 'not-supported' }] },
      });
      expect(await post(url + path, { name: 'Zacarias' }, headers)).toMatchObject({
        status: 400,
        body: { resourceType: 'OperationOutcome', issue: [{ severity: 'error' }] },
      });
      expect(encoder.log).not.toMatch(/ann\.lee|Zacarias/);
    }),
  );

  test.each(['', '/fhir'])('says at %s/metadata where its FHIR operations are defined', (base) =>
    serving(async (url) => {
      const asked = async (address: string) => {
        const answer = await fetch(address);
        expect(answer.headers.get('content-type')).toMatch(/^application\/fhir\+json/);
        return answer.json();
      };
      const { resourceType, rest } = await asked(`${url}${base}/metadata`);
      expect(resourceType).toBe('CapabilityStatement');
      const names = [];
      for (const { name, definition } of rest[0].operation) {
        const found = { resourceType: 'OperationDefinition', id: name, url: definition };
        expect(await asked(definition)).toMatchObject(found);
        expect(definition).toBe(`${url}${base}/OperationDefinition/${name}`);
        names.push(name);
      }
      expect(names).toEqual(['de-identify', 'deidentify']);
    }),
  );

  test.each([
    ['/$de-identify', 'de-identifiedData'],
    ['/$deidentify', 'deidentifiedData'],
  ])("answers the Parameters of HL7's guide at %s with %s", (path, name) =>
    serving(async (url) => {
      const headers = { 'Content-Type': 'application/fhir+json' };
      const note = { resourceType: 'DiagnosticReport', conclusion: 'Mail ann.lee@example.com.' };
      const resource = { resourceType: 'Bundle', type: 'collection', entry: [{ resource: note }] };
      const ask = (valueString: string, data: object = { name: 'identifiableData', resource }) => {
        const parameter = [data, { name: 'policy', valueString }];
        return post(url + path, { resourceType: 'Parameters', parameter }, headers);
      };
      const policies = [
        ['mask', /\*{19}/],
        ['tag', /\[\w+\]/],
        ['surrogate', /^(?!.*ann\.lee)/],
      ] as const;
      for (const [policy, conclusion] of policies) {
        const entry = [{ resource: { conclusion: expect.stringMatching(conclusion) } }];
        expect(await ask(policy)).toMatchObject({
          status: 200,
          body: { resourceType: 'Parameters', parameter: [{ name, resource: { entry } }] },
        });
      }
      for (const answer of [
        await ask('HHS_SAFE_HARBOR_DETERMINISTIC_METHOD'),
        await ask('annotate'),
        await ask('tag', { name: 'identifiableDataFileUrls' }),
      ])
        expect(answer).toMatchObject({
          ...{ status: 422, body: { resourceType: 'OperationOutcome' } },
        });
      expect(await ask('tag', { name: 'identifiableData', resource: note })).toMatchObject({
        status: 400,
      });
    }),
  );

  test('de-identifies with spans that say where replacements stand, and of what stays how sure they are', () =>
    serving(async (url) => {
      const documents = [{ id: 'a', text: `${WORDS.join(' ')}.` }];
      const answered = async (policy: string) => {
        const asked = { documents, policy, threshold: 1e-9 };
        const { status, body } = await post(`${url}/v1/deidentify`, asked);
        expect(status).toBe(200);
        expect(body.documents[0].spans).not.toEqual([]);
        return body.documents[0];
      };
      const { text, spans } = await answered('tag');
      for (const { label, start, end } of spans) expect(text.slice(start, end)).toBe(`[${label}]`);
      for (const { confidence } of (await answered('annotate')).spans)
        expect(confidence).toBeGreaterThan(0);
    }));

  test('answers alike for all that becomes one text', () =>
    serving(async (url) => {
      const answered = async (
        policy: string,
        part = (documents: Answer['documents']): unknown => documents,
      ) => {
        const parts = new Set<string>();
        for (const text of WORDS) {
          const asked = { documents: [{ id: 'a', text }], policy, threshold: 1e-9 };
          const { body } = await post(`${url}/v1/deidentify`, asked);
          parts.add(JSON.stringify(part(body.documents)));
        }
        return [...parts];
      };
      const spans = [{ start: 0, end: 5, label: 'PHI' }];
      expect(await answered('tag')).toEqual([JSON.stringify([{ id: 'a', text: '[PHI]', spans }])]);
      const sureness = await answered('annotate', ([{ spans }]) => spans[0]?.confidence);
      expect(sureness).toHaveLength(WORDS.length);
    }));

  test('refuses a body that is not what the schema says, without repeating it', () =>
    serving(async (url) => {
      const secret = 'qvxzwkjh';
      for (const body of [
        { documents: [{ text: 1 }] },
        { documents: [{ text: secret }] },
        { documents: [{ text: secret, spans: [{ type: 'PHI', start: 5, end: 500 }] }] },
        `{"documents": [{"text": "${secret}`,
        { input: 'a', documents: [] },
      ]) {
        const answer = await post(`${url}/v1/jobs`, body);
        expect(answer.status).toBe(400);
        expect(JSON.stringify(answer.body)).not.toContain(secret);
      }
      expect(encoder.log).not.toContain(secret);
    }));

  test('with a token serves its holder alone', () =>
    serving(async (url) => {
      const list = (headers: Record<string, string>) => fetch(`${url}/v1/jobs`, { headers });
      expect((await list({})).status).toBe(401);
      expect((await list({ Authorization: 'Bearer wrong' })).status).toBe(401);
      expect((await list({ Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
      expect((await fetch(`${url}/livez`)).status).toBe(200);
    }, TOKEN));

  test('without a token serves no web page, whatever it calls this address', () =>
    serving(async (url) => {
      const status = (headers: Record<string, string>) =>
        new Promise<number | undefined>((resolve, reject) => {
          request(`${url}/v1/jobs`, { headers }, (response) => {
            response.resume();
            resolve(response.statusCode);
          })
            .on('error', reject)
            .end();
        });
      expect(await status({})).toBe(200);
      expect(await status({ Host: 'evil.example' })).toBe(403);
      expect(await status({ Origin: 'https://evil.example' })).toBe(403);
    }));

  test('stops de-identifying once the pipeline was revoked, and says that it is not ready', async () => {
    const pipeline = encoder.models.identities.pipeline ?? { name: '', version: '', digest: '' };
    let status = 'published';
    const registry = createServer(({ url }, response) => {
      const { name, version, digest } = pipeline;
      const model = { name, version, digest, status, publisher: 'us', reason: 'wrong' };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(url?.includes('/audits') ? [] : model));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { port } = registry.address() as AddressInfo;
    const approval = { registry: new ServiceClient({ baseUrl: `http://127.0.0.1:${port}` }) };
    const documents = [{ text: 'alpha beta' }];
    const serve = (use: (url: string) => Promise<void>) =>
      serving(use, undefined, { approval, recheckMs: 5 });
    try {
      await serve(async (url) => {
        expect((await post(`${url}/v1/deidentify`, { documents })).status).toBe(200);
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
        status = 'revoked';
        while ((await fetch(`${url}/readyz`)).status === 200) await setTimeout(5);
        const ready = await fetch(`${url}/readyz`);
        expect([ready.status, await ready.json()]).toEqual([
          503,
          { status: 'not ready', code: 'model-revoked' },
        ]);
        expect(await post(`${url}/v1/deidentify`, { documents })).toMatchObject({
          status: 410,
          body: { code: 'model-revoked' },
        });
        const analyzed = await post(`${url}/analyze`, { text: 'alpha', language: 'en' });
        expect(analyzed).toMatchObject({ status: 410, body: { error: expect.any(String) } });
        expect((await fetch(`${url}/livez`)).status).toBe(200);
      });
    } finally {
      registry.close();
    }
  });

  test('takes as long as it must for an answer, on a connection on which nothing moves', async () => {
    const idleSeconds = 0.05;
    const slow = route({
      method: 'post',
      path: '/slow',
      summary: 'An answer that takes its time',
      answer: NO_CONTENT,
      handle: () => setTimeout(10 * idleSeconds * 1000, { done: true }),
    });
    const app = createEncoderApp({
      routes: [slow],
      logger: encoder.logger,
      explain: encoder.explain,
    });
    const limits = { ...DEFAULT_LIMITS, idleSeconds };
    const server = await listen(app, { host: '127.0.0.1', port: 0, limits });
    try {
      const { body } = await post(`${server.url}/slow`, {});
      expect(body).toEqual({ done: true });
    } finally {
      await server.close();
    }
  });

  test('describes every route it has, as docs/openapi/encoder.json says', () =>
    serving(async (url) => {
      expect(await describedBy(url)).toEqual(keptDocument('encoder', await describedBy(url)));
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toContain('tacet_requests_total');
    }));

  test('shows its metrics to the holder of the token alone', () =>
    serving(async (url) => {
      const headers = { Authorization: `Bearer ${TOKEN}` };
      expect((await fetch(`${url}/metrics`)).status).toBe(401);
      expect((await fetch(`${url}/metrics`, { headers })).status).toBe(200);
    }, TOKEN));
});
