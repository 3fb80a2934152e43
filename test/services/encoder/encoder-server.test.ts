import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { ServiceClient } from '../../../services/client/client.js';
import { createEncoderApp } from '../../../services/encoder/encoder-app.js';
import { sendEvents } from '../../../services/encoder/encoder-routes.js';
import type { EncoderOptions } from '../../../services/encoder/encoder-service.js';
import type { JobView } from '../../../services/encoder/jobs.js';
import { NO_CONTENT } from '../../../services/http/answer.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { route } from '../../../services/http/route.js';
import { listen } from '../../../services/http/server.js';
import { describedBy, keptDocument } from '../described.js';
import { lengthsOf, outgoing, WORDS } from '../institution/notes.js';
import { NOTES, post, ServedEncoder } from './served-encoder.js';

const TOKEN = 'a-token-of-more-than-sixteen';

describe('the encoder over HTTP', () => {
  const encoder = new ServedEncoder();
  const serving: ServedEncoder['serving'] = (...given) => encoder.serving(...given);

  const ended = async (url: string, id: string): Promise<JobView[]> => {
    const text = await (await fetch(`${url}/v1/jobs/${id}/events`)).text();
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  };

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
      expect(await post(url + path, { resourceType: 'Basic' }, headers)).toMatchObject({
        status: 422,
        body: { resourceType: 'OperationOutcome', issue: [{ code: 'not-supported' }] },
      });
      expect(await post(url + path, { name: 'Zacarias' }, headers)).toMatchObject({
        status: 400,
        body: { resourceType: 'OperationOutcome', issue: [{ severity: 'error' }] },
      });
      expect(encoder.log).not.toMatch(/ann\.lee|Zacarias/);
    }),
  );

  test('lets notes leave as often as a job asks and the policy allows, and no more often', async () => {
    const asked = async (options: Partial<EncoderOptions>, copies: number) => {
      encoder.moveHome();
      return serving(
        async (url) => {
          const { status, body } = await post(`${url}/v1/jobs`, { input: 'notes.jsonl', copies });
          if (status !== 202) return body;
          return (await ended(url, body.id)).at(-1);
        },
        undefined,
        options,
      );
    };
    const allowed = { maxCopies: 3, maxReleases: 3 };
    const limits = { maxReleases: 3 };
    expect(await asked({ limits, policy: allowed }, 3)).toMatchObject({
      state: 'done',
      report: { copies: 3 },
    });
    expect(await asked({}, 2)).toMatchObject({ state: 'done', report: { copies: 2 } });
    for (const policy of [{ maxReleases: 3 }, { maxReleases: 2, maxCopies: 3 }])
      expect(await asked({ policy }, 3)).toMatchObject({
        code: 'policy-otherwise',
        detail: expect.stringContaining('copies 3: the policy allows'),
      });
    expect(await asked({ limits: { entities: 'kept' } }, 2)).toMatchObject({
      code: 'request-invalid',
    });
    expect(await asked({}, 101)).toMatchObject({ code: 'request-invalid' });
  });

  test('keeps no type that the policy does not allow, or that names somebody', async () => {
    const asked = async (options: Partial<EncoderOptions>, more: object = {}) => {
      encoder.moveHome();
      return serving(
        async (url) => {
          const job = { input: 'notes.jsonl', keep: ['PHI'], ...more };
          const { status, body } = await post(`${url}/v1/jobs`, job);
          return status === 202 ? (await ended(url, body.id)).at(-1) : body;
        },
        undefined,
        options,
      );
    };
    const policy = { maxReleases: 1, keptTypes: ['PHI'] };
    for (const options of [{}, { policy: { ...policy, keptTypes: ['ORG'] } }])
      expect(await asked(options)).toMatchObject({ code: 'policy-otherwise' });
    const limits = { certification: { limit: 0.9, neighbours: 3 } };
    expect(await asked({ policy, limits })).toMatchObject({
      state: 'failed',
      problem: { code: 'type-names-somebody' },
    });
    expect(await asked({ policy, limits }, { keep: [] })).toMatchObject({
      state: 'done',
      report: { keptTypes: [], kept: 0, bounds: null },
    });
    expect(await asked({ policy, limits: { entities: 'kept' } })).toMatchObject({
      code: 'request-invalid',
    });
    expect(await asked({ policy, limits }, { keep: ['a b'] })).toMatchObject({
      code: 'request-invalid',
    });
  });

  test('holds a job that a restart took up to the policy of now', async () => {
    await serving(
      async (_url, service) => {
        await service.encodeFiles('notes.jsonl', { copies: 3 });
      },
      undefined,
      { limits: { maxReleases: 3 }, policy: { maxCopies: 3, maxReleases: 3 } },
    );
    await serving(
      async (url, service) => {
        const [job] = service.jobs.list();
        expect((await ended(url, job?.id ?? '')).at(-1)).toMatchObject({
          state: 'failed',
          problem: { code: 'policy-otherwise' },
        });
      },
      undefined,
      { policy: { maxReleases: 3 } },
    );
  });

  test('runs jobs over files, and tells of each change as a server-sent event', () =>
    serving(async (url) => {
      const { status, body } = await post(`${url}/v1/jobs`, { input: 'notes.jsonl' });
      expect(status).toBe(202);
      const views = await ended(url, body.id);
      expect(views.at(-1)).toMatchObject({
        state: 'done',
        report: { documents: 30, released: 30 },
      });
      expect(views.some(({ progress }) => progress?.step === 'encode')).toBe(true);
      const list = await (await fetch(`${url}/v1/jobs`)).json();
      expect(list).toMatchObject([{ id: body.id, state: 'done' }]);
      expect(await readdir(join(encoder.home, 'jobs'))).toEqual([`${body.id}.json`]);
    }));

  test.each(['../outside.jsonl', 'link.jsonl', 'nothing', '/etc/hostname'])(
    'reads nothing outside the input directory: %s',
    (input) =>
      serving(async (url) => {
        expect((await post(`${url}/v1/jobs`, { input })).status).toBe(404);
      }),
  );

  test.each(['folder', 'file'])('reads nothing through a link to a %s outside', async (kind) => {
    const elsewhere = await mkdtemp(join(encoder.root, 'elsewhere-'));
    await writeFile(join(elsewhere, 'notes.jsonl'), JSON.stringify(NOTES[0]));
    const folder = await mkdtemp(join(encoder.root, 'input', 'linked-'));
    await mkdir(join(folder, 'deep'));
    const target = kind === 'folder' ? elsewhere : join(elsewhere, 'notes.jsonl');
    await symlink(target, join(folder, 'deep', `link${kind === 'folder' ? '' : '.jsonl'}`));
    await symlink(folder, join(folder, 'round'));
    await serving(async (url) => {
      const { status, body } = await post(`${url}/v1/jobs`, { input: basename(folder) });
      expect(status).toBe(404);
      expect(JSON.stringify(body)).not.toContain('elsewhere');
      expect(await (await fetch(`${url}/v1/jobs`)).json()).toEqual([]);
    });
    await rm(folder, { recursive: true });
  });

  test('reads no annotations through a link to a file outside', async () => {
    const folder = await mkdtemp(join(encoder.root, 'input', 'brat-'));
    await writeFile(join(folder, 'a.txt'), 'alpha beta');
    await symlink(join(encoder.root, 'outside.jsonl'), join(folder, 'a.ann'));
    await serving(async (url) => {
      const { status } = await post(`${url}/v1/jobs`, { input: `${basename(folder)}/a.txt` });
      expect(status).toBe(404);
    });
    await rm(folder, { recursive: true });
  });

  test('tells the number of a document that cannot be read, and no name of it', async () => {
    const folder = await mkdtemp(join(encoder.root, 'input', 'named-'));
    await writeFile(join(folder, 'a.jsonl'), JSON.stringify(NOTES[0]));
    await writeFile(join(folder, 'Doe-Jane.jsonl'), '{"text": "x", "spans": []}\n{');
    await serving(async (url) => {
      for (const input of [basename(folder), `${basename(folder)}/Doe-Jane.jsonl`]) {
        const { id } = (await post(`${url}/v1/jobs`, { input })).body;
        expect((await ended(url, id)).at(-1)).toMatchObject({
          state: 'failed',
          problem: { code: 'corpus-invalid', detail: expect.stringMatching(/^file 1:2: expected/) },
        });
        const files = await readFile(join(encoder.home, 'jobs', `${id}.json`), 'utf8');
        const shown = JSON.stringify(await (await fetch(`${url}/v1/jobs`)).json());
        for (const text of [files, shown]) expect(text).not.toMatch(/Doe|named-/);
      }
    });
    await rm(folder, { recursive: true });
  });

  test('cancels a waiting job, which releases nothing', () =>
    serving(async (url) => {
      const first = (await post(`${url}/v1/jobs`, { input: 'notes.jsonl' })).body;
      const second = (await post(`${url}/v1/jobs`, { input: 'notes.jsonl' })).body;
      const answer = await fetch(`${url}/v1/jobs/${second.id}`, { method: 'DELETE' });
      expect(await answer.json()).toMatchObject({
        state: 'cancelled',
        problem: { code: 'interrupted' },
      });
      expect((await ended(url, first.id)).at(-1)).toMatchObject({ state: 'done' });
    }));

  test('goes on with a file job after a restart, and releases nothing twice', async () => {
    await serving(async (_url, service) => {
      await service.encodeFiles('notes.jsonl');
      await service.close();
    });
    const before = lengthsOf(await outgoing(encoder.home)).length;
    expect(await readdir(join(encoder.home, 'jobs'))).toHaveLength(1);
    await serving(async (url) => {
      const [job] = (await (await fetch(`${url}/v1/jobs`)).json()) as JobView[];
      const last = (await ended(url, job?.id ?? '')).at(-1);
      expect(last).toMatchObject({ state: 'done', report: { released: 30 - before } });
    });
    expect(lengthsOf(await outgoing(encoder.home))).toHaveLength(30);
    await serving(async (url) => {
      expect(await (await fetch(`${url}/v1/jobs`)).json()).toMatchObject([{ state: 'done' }]);
    });
  });

  test('says of a job over documents that a restart interrupted it, and ran none of it twice', async () => {
    let id = '';
    await serving(async (_url, service) => {
      ({ id } = await service.encodeDocuments(NOTES));
      await service.close();
    });
    const before = lengthsOf(await outgoing(encoder.home)).length;
    for (let restart = 0; restart < 2; restart++)
      await serving(async (url) => {
        const view = await (await fetch(`${url}/v1/jobs/${id}`)).json();
        expect(view).toMatchObject({ state: 'interrupted', problem: { code: 'interrupted' } });
        expect((await ended(url, id)).at(-1)).toEqual(view);
      });
    await serving(async (url) => {
      const { body } = await post(`${url}/v1/encode`, { documents: NOTES });
      expect(body).toMatchObject({ released: 30 - before, skipped: before });
    });
  });

  test('forgets what is not a job it wrote itself', async () => {
    await mkdir(join(encoder.home, 'jobs'), { recursive: true });
    const name = '00000000-0000-0000-0000-000000000000.json';
    await writeFile(join(encoder.home, 'jobs', name), '{"view": {"id": "cut o');
    await serving(async (url) => {
      expect(await (await fetch(`${url}/v1/jobs`)).json()).toEqual([]);
    });
  });

  test('de-identifies with spans that say how sure they are', () =>
    serving(async (url) => {
      const documents = [{ id: 'a', text: `${WORDS.join(' ')}.` }];
      const { status, body } = await post(`${url}/v1/deidentify`, { documents, threshold: 0.5 });
      expect(status).toBe(200);
      const [{ text, spans }] = body.documents;
      for (const { label, start, end, confidence } of spans) {
        expect(text.slice(start, end)).toBe(`[${label}]`);
        expect(confidence).toBeGreaterThan(0);
      }
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

  test('answers between two reports of a running job', () =>
    serving(async (url) => {
      const many = Array.from({ length: 400 }, (_, i) => ({
        text: `${WORDS.join(' ')} `.repeat(1 + (i % 20)).concat(`${i} ${'zeta '.repeat(i % 7)}`),
        spans: [],
      }));
      const { id } = (await post(`${url}/v1/jobs`, { documents: many })).body;
      let answers = 0;
      let state = '';
      do {
        expect((await fetch(`${url}/livez`)).status).toBe(200);
        ({ state } = (await (await fetch(`${url}/v1/jobs/${id}`)).json()) as JobView);
        answers++;
      } while (state === 'waiting' || state === 'running');
      expect(state).toBe('done');
      expect(answers).toBeGreaterThan(2);
    }));

  test('stops de-identifying once the pipeline was revoked, and says that it is not ready', async () => {
    const pipeline = encoder.models.identities.pipeline ?? { name: '', version: '', digest: '' };
    let status = 'published';
    const registry = createServer(({ url }, response) => {
      const { name, version, digest } = pipeline;
      const model = { name, version, digest, status, publisher: 'us', reason: 'wrong' };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(url?.endsWith('/audits') ? [] : model));
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

  test('sends comments while a job has nothing to tell', async () => {
    let told: (value: unknown) => void = () => {};
    const silence = new Promise((resolve) => {
      told = resolve;
    });
    async function* views(): AsyncGenerator<JobView> {
      await silence;
      yield* [];
    }
    const events = route({
      method: 'get',
      path: '/events',
      summary: 'Nothing but comments',
      answer: NO_CONTENT,
      streams: true,
      handle: ({ response }) => sendEvents(views(), response, 5),
    });
    const app = createEncoderApp({
      routes: [events],
      logger: encoder.logger,
      explain: encoder.explain,
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
    try {
      const { body } = await fetch(`${server.url}/events`);
      let text = '';
      for await (const chunk of body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.split('\n\n').length > 3) told(undefined);
      }
      expect(text).toMatch(/^(: [a-z ]+\n\n){3,}$/);
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
