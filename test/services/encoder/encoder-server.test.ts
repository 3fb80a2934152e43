import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { ServiceClient } from '../../../services/client/client.js';
import { createEncoderApp } from '../../../services/encoder/encoder-app.js';
import { encoderRoutes, sendEvents } from '../../../services/encoder/encoder-routes.js';
import { type EncoderOptions, EncoderService } from '../../../services/encoder/encoder-service.js';
import type { JobView } from '../../../services/encoder/jobs.js';
import type { ModelThread } from '../../../services/encoder/model-thread.js';
import type { AnsweredDocument } from '../../../services/encoder/request-schemas.js';
import { NO_CONTENT } from '../../../services/http/answer.js';
import { explainByPlace } from '../../../services/http/explained-error.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { route } from '../../../services/http/route.js';
import { listen, type RunningServer } from '../../../services/http/server.js';
import type { RecognizerResult } from '../../../services/institution/deidentify/presidio/recognizer-result.js';
import { Ledger } from '../../../services/institution/release/ledger.js';
import { describedBy, keptDocument } from '../described.js';
import { lengthsOf, notesOfDistinctLengths, outgoing, WORDS } from '../institution/notes.js';
import {
  createPublisher,
  type Publisher,
  removePublisher,
  threadOf,
} from '../institution/publisher.js';

const NOTES = notesOfDistinctLengths(30);
const TOKEN = 'a-token-of-more-than-sixteen';

/** What any of the routes may answer. */
type Answer = RecognizerResult[] & {
  readonly id: string;
  readonly text: string;
  readonly documents: readonly [AnsweredDocument];
};

describe('the encoder over HTTP', () => {
  let publisher: Publisher;
  let models: ModelThread;
  let root: string;
  let home: string;
  let count = 0;
  let log = '';
  const logger = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk, _encoding, done) => {
        log += chunk;
        done();
      },
    }),
  );
  const explain = explainByPlace(logger);
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    models = await threadOf(publisher);
    root = await mkdtemp(join(tmpdir(), 'tacet-encoder-'));
    await mkdir(join(root, 'input'));
    await writeFile(join(root, 'outside.jsonl'), '{}');
    await symlink(join(root, 'outside.jsonl'), join(root, 'input', 'link.jsonl'));
    const lines = NOTES.map((note) => JSON.stringify(note));
    await writeFile(join(root, 'input', 'notes.jsonl'), lines.join('\n'));
  });
  beforeEach(() => {
    home = join(root, `home-${count++}`);
  });
  afterAll(async () => {
    await models.close();
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  const serving = async <T>(
    use: (url: string, service: EncoderService, server: RunningServer) => Promise<T>,
    token?: string,
    options: Partial<EncoderOptions> = {},
  ): Promise<T> => {
    (await Ledger.openOrMake(home)).close();
    const service = await EncoderService.open({
      home,
      models,
      limits: {},
      approval: {},
      input: join(root, 'input'),
      threshold: 0.6,
      explain,
      ...options,
    });
    const app = createEncoderApp({
      routes: encoderRoutes(service),
      token,
      requireReady: () => service.requireReady(),
      logger,
      explain,
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
    try {
      return await use(server.url, service, server);
    } finally {
      await service.close();
      await server.close();
    }
  };
  const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
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
      expect(log).not.toMatch(/ann\.lee|Zacarias/);
    }),
  );

  test('lets notes leave as often as a job asks and the policy allows, and no more often', async () => {
    const asked = async (options: Partial<EncoderOptions>, copies: number) => {
      home = join(root, `home-${count++}`);
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
      home = join(root, `home-${count++}`);
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
      expect(await readdir(join(home, 'jobs'))).toEqual([`${body.id}.json`]);
    }));

  test.each(['../outside.jsonl', 'link.jsonl', 'nothing', '/etc/hostname'])(
    'reads nothing outside the input directory: %s',
    (input) =>
      serving(async (url) => {
        expect((await post(`${url}/v1/jobs`, { input })).status).toBe(404);
      }),
  );

  test.each(['folder', 'file'])('reads nothing through a link to a %s outside', async (kind) => {
    const elsewhere = await mkdtemp(join(root, 'elsewhere-'));
    await writeFile(join(elsewhere, 'notes.jsonl'), JSON.stringify(NOTES[0]));
    const folder = await mkdtemp(join(root, 'input', 'linked-'));
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
    const folder = await mkdtemp(join(root, 'input', 'brat-'));
    await writeFile(join(folder, 'a.txt'), 'alpha beta');
    await symlink(join(root, 'outside.jsonl'), join(folder, 'a.ann'));
    await serving(async (url) => {
      const { status } = await post(`${url}/v1/jobs`, { input: `${basename(folder)}/a.txt` });
      expect(status).toBe(404);
    });
    await rm(folder, { recursive: true });
  });

  test('tells the number of a document that cannot be read, and no name of it', async () => {
    const folder = await mkdtemp(join(root, 'input', 'named-'));
    await writeFile(join(folder, 'a.jsonl'), JSON.stringify(NOTES[0]));
    await writeFile(join(folder, 'Doe-Jane.jsonl'), '{"text": "x", "spans": []}\n{');
    await serving(async (url) => {
      for (const input of [basename(folder), `${basename(folder)}/Doe-Jane.jsonl`]) {
        const { id } = (await post(`${url}/v1/jobs`, { input })).body;
        expect((await ended(url, id)).at(-1)).toMatchObject({
          state: 'failed',
          problem: { code: 'corpus-invalid', detail: expect.stringMatching(/^file 1:2: expected/) },
        });
        const files = await readFile(join(home, 'jobs', `${id}.json`), 'utf8');
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
    const before = lengthsOf(await outgoing(home)).length;
    expect(await readdir(join(home, 'jobs'))).toHaveLength(1);
    await serving(async (url) => {
      const [job] = (await (await fetch(`${url}/v1/jobs`)).json()) as JobView[];
      const last = (await ended(url, job?.id ?? '')).at(-1);
      expect(last).toMatchObject({ state: 'done', report: { released: 30 - before } });
    });
    expect(lengthsOf(await outgoing(home))).toHaveLength(30);
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
    const before = lengthsOf(await outgoing(home)).length;
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
    await mkdir(join(home, 'jobs'), { recursive: true });
    const name = '00000000-0000-0000-0000-000000000000.json';
    await writeFile(join(home, 'jobs', name), '{"view": {"id": "cut o');
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

  describe('offsets over HTTP count code points of the text as it was sent', () => {
    const text = `\ufeff😀 ${WORDS.join('\r\n')} \0 Jose\u0301 𝒳. alpha`;
    const points = Array.from(text);
    const all = { threshold: 1e-9, policy: 'annotate' };

    test('where PHI was found, and where it is said to be', () =>
      serving(async (url) => {
        const { body } = await post(`${url}/v1/deidentify`, { documents: [{ text }], ...all });
        const [document] = body.documents;
        expect(document.text).toBe(text);
        const { start = 0, label = '' } = document.spans.at(-1) ?? {};
        expect(points.slice(start).join('').endsWith('alpha')).toBe(true);
        const found = document.spans.map((span: { start: number; end: number }) =>
          points.slice(span.start, span.end).join(''),
        );
        expect(found.join('')).toMatch(/^😀/);
        for (const each of found) expect(each).not.toMatch(/^\s|\s$/);
        const encode = async (span: object) => {
          const documents = [{ text, spans: [span] }];
          return (await post(`${url}/v1/encode`, { documents, dryRun: true })).status;
        };
        const last = { start, end: points.length };
        expect(await encode({ ...last, label })).toBe(200);
        expect(await encode({ ...last, type: label })).toBe(200);
        expect(await encode({ ...last, type: label, label })).toBe(400);
        expect(await encode({ start, end: text.length, label })).toBe(400);
      }));

    test('for Presidio’s analyzer and anonymizer', () =>
      serving(async (url) => {
        const { body: results } = await post(`${url}/analyze`, { text, language: 'en' });
        for (const { start, end } of results)
          expect(points.slice(start, end).join('')).not.toMatch(/^\s|\s$|^$/);
        const { body } = await post(`${url}/anonymize`, {
          text,
          analyzer_results: [
            { start: 1, end: 2, score: 1, entity_type: 'A' },
            { start: points.length - 5, end: points.length, score: 1, entity_type: 'B' },
          ],
        });
        expect(body).toHaveProperty('text', text.replace('😀', '<A>').replace(/alpha$/, '<B>'));
      }));

    test('and half of a surrogate pair is refused', () =>
      serving(async (url) => {
        const half = 'alpha \ud83d beta';
        const finding = { start: 0, end: 7, score: 1, entity_type: 'A' };
        const requests = {
          '/v1/deidentify': { documents: [{ text: half }] },
          '/v1/encode': { documents: [{ text: half, spans: [] }] },
          '/v1/jobs': { documents: [{ text: half, spans: [] }] },
          '/analyze': { text: half, language: 'en' },
          '/anonymize': { text: half, analyzer_results: [finding] },
        };
        for (const [path, request] of Object.entries(requests)) {
          const { status, body } = await post(url + path, request);
          expect([path, status]).toEqual([path, path === '/anonymize' ? 422 : 400]);
          expect(JSON.stringify(body)).toMatch(/half of a surrogate pair at offset 6/);
        }
      }));
  });

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
      expect(log).not.toContain(secret);
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
    const pipeline = models.identities.pipeline ?? { name: '', version: '', digest: '' };
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
    const app = createEncoderApp({ routes: [slow], logger, explain });
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
    const app = createEncoderApp({ routes: [events], logger, explain });
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

  describe('to a client of Presidio', () => {
    test('findings have the shape of the documentation, offsets in code points', () =>
      serving(async (url) => {
        const text = '😀 John Smith drivers license is AC432223';
        const { status, body } = await post(`${url}/analyze`, {
          text,
          language: 'en',
          score_threshold: 0,
        });
        expect(status).toBe(200);
        expect(body.length).toBeGreaterThan(0);
        const points = [...text];
        for (const finding of body) {
          expect(Object.keys(finding)).toEqual([
            'analysis_explanation',
            'end',
            'entity_type',
            'score',
            'start',
          ]);
          expect(finding.analysis_explanation).toBeNull();
          // A token begins where the finding does, which it would not in UTF-16 units.
          expect(points.slice(finding.start, finding.end).join('')).toMatch(/^\S.*\S$|^\S$/);
        }
        const all = await post(`${url}/analyze`, { text: [text, text], language: 'en' });
        expect(all.body).toEqual([body, body]);
        const explained = await post(`${url}/analyze`, {
          text,
          language: 'en',
          return_decision_process: true,
        });
        expect(Object.keys(explained.body[0]?.analysis_explanation ?? {})).toEqual([
          'recognizer',
          'pattern_name',
          'pattern',
          'original_score',
          'score',
          'textual_explanation',
          'score_context_improvement',
          'supportive_context_word',
          'validation_result',
        ]);
        const entities = ['PHI', 'US_DRIVER_LICENSE', 'ZIP'];
        expect((await post(`${url}/analyze`, { text, language: 'en', entities })).body).toEqual(
          body,
        );
      }));

    test('the decision process is told where Python would take the wish for true', () =>
      serving(async (url) => {
        const text = 'write to maria.garcia@example.org';
        for (const [wish, told] of [
          [0, false],
          ['', false],
          [null, false],
          [1, true],
          ['yes', true],
        ] as const) {
          const request = { text, language: 'en', return_decision_process: wish };
          const { status, body } = await post(`${url}/analyze`, request);
          expect(status).toBe(200);
          expect(body.map(({ analysis_explanation: each }) => each !== null)).toContain(told);
        }
      }));

    test('addresses and numbers are found whole by their shape, beside the model', () =>
      serving(async (url) => {
        const text = 'write to maria.garcia@example.org or call (617) 555-0199';
        const entities = ['EMAIL_ADDRESS', 'PHONE_NUMBER'];
        const { body } = await post(`${url}/analyze`, { text, language: 'en', entities });
        expect(body.map(({ start, end }) => text.slice(start, end))).toEqual([
          'maria.garcia@example.org',
          '(617) 555-0199',
        ]);
        const { documents } = (await (
          await fetch(`${url}/v1/deidentify`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ documents: [{ text }] }),
          })
        ).json()) as { documents: { text: string }[] };
        expect(documents[0]?.text).not.toMatch(/maria|garcia|example|617|555|0199/);
      }));

    test('what was encrypted is given back to who has the key', () =>
      serving(async (url) => {
        const text = 'Seen 😀 by Ana Ruiz';
        const key = '0123456789abcdef';
        const anonymized = await post(`${url}/anonymize`, {
          text,
          analyzer_results: [{ start: 10, end: 18, score: 1, entity_type: 'PERSON' }],
          anonymizers: { PERSON: { type: 'encrypt', key } },
        });
        const sealed = anonymized.body as unknown as { text: string; items: object[] };
        expect(sealed.text).not.toContain('Ana');
        const back = (deanonymizers: object) =>
          post(`${url}/deanonymize`, {
            text: sealed.text,
            anonymizer_results: sealed.items,
            deanonymizers,
          });
        expect(await back({ PERSON: { type: 'decrypt', key } })).toEqual({
          status: 200,
          body: {
            text,
            items: [
              { start: 10, end: 18, entity_type: 'PERSON', text: 'Ana Ruiz', operator: 'decrypt' },
            ],
          },
        });
        expect(await back({ PERSON: { type: 'decrypt', key: 'short' } })).toEqual({
          status: 422,
          body: { error: 'Invalid input, key must be of length 128, 192 or 256 bits' },
        });
        const other = await back({ PERSON: { type: 'decrypt', key: 'fedcba9876543210' } });
        expect(other.status).toBe(422);
        expect(await post(`${url}/deanonymize`, { key })).toEqual({
          status: 200,
          body: { text: '', items: [] },
        });
        expect(await post(`${url}/deanonymize`, {})).toEqual({
          status: 400,
          body: { error: 'Invalid request json' },
        });
      }));

    test('errors have the shape of the documentation', () =>
      serving(async (url) => {
        const none = 'No matching recognizers were found to serve the request.';
        const text = 'x';
        for (const [request, status, error] of [
          [{ language: 'en' }, 500, 'No text provided'],
          [{ text: '', language: 'en' }, 500, 'No text provided'],
          [{ text }, 500, 'No language provided'],
          [{ text, language: 'tlh' }, 500, none],
          [{ text, language: 'en', entities: ['ZIP'] }, 500, none],
          [{ text, language: 'en', score_threshold: 'high' }, 400, expect.any(String)],
          [
            { text, language: 'en', allow_list: ['(?>a)'], allow_list_match: 'regex' },
            400,
            expect.any(String),
          ],
          [
            {
              text,
              language: 'en',
              ad_hoc_recognizers: [
                {
                  supported_entity: 'ZIP',
                  patterns: [{ type: 'weak', regex: '\\d{5}', score: 0.1 }],
                },
              ],
            },
            400,
            'Failed to parse /analyze request for AnalyzerEngine.analyze(). ' +
              "Pattern.__init__() got an unexpected keyword argument 'type'",
          ],
          [
            '{',
            400,
            'The browser (or proxy) sent a request that this server could not understand.',
          ],
        ] as const)
          expect(await post(`${url}/analyze`, request)).toEqual({ status, body: { error } });
        const outside = {
          text: 'x',
          analyzer_results: [{ start: 0, end: 9, score: 1, entity_type: 'A' }],
        };
        for (const [request, status] of [
          [outside, 422],
          [{ text: 'x' }, 422],
          [{}, 400],
          [{ ...outside, anonymizers: { DEFAULT: { type: 'custom' } } }, 400],
          ['{', 400],
        ] as const)
          expect(await post(`${url}/anonymize`, request)).toEqual({
            status,
            body: { error: expect.any(String) },
          });
      }));

    test('tells what it finds with what, by language', () =>
      serving(async (url) => {
        const everywhere = ['EMAIL_ADDRESS', 'URL', 'IP_ADDRESS', 'CREDIT_CARD', 'IBAN_CODE'];
        for (const [route, answer, english] of [
          [
            'supportedentities',
            ['PHI', ...everywhere, 'PHONE_NUMBER'],
            ['US_SSN', 'US_DRIVER_LICENSE'],
          ],
          [
            'recognizers',
            ['TacetRecognizer', 'EmailRecognizer', 'PhoneRecognizer'],
            ['UsSsnRecognizer', 'UsLicenseRecognizer'],
          ],
        ] as const) {
          const found = async (query: string): Promise<string[]> =>
            (await fetch(`${url}/${route}${query}`)).json() as Promise<string[]>;
          for (const query of ['', '?language=en', '?unknown=input'])
            expect(await found(query)).toEqual(expect.arrayContaining([...answer, ...english]));
          expect(await found('?language=es')).toEqual(expect.arrayContaining([...answer]));
          for (const name of english) expect(await found('?language=es')).not.toContain(name);
          const unknown = await fetch(`${url}/${route}?language=tlh`);
          expect([unknown.status, await unknown.json()]).toEqual([
            500,
            { error: 'No matching recognizers were found to serve the request.' },
          ]);
        }
      }));

    test('finds what a request’s own recognizers find, beside the model', () =>
      serving(async (url) => {
        const recognizer = {
          supported_entity: 'ZIP',
          patterns: [{ name: 'zip', regex: '\\b\\d{5}\\b', score: 0.5 }],
        };
        const request = { language: 'en', entities: ['ZIP'], ad_hoc_recognizers: [recognizer] };
        const zip = { entity_type: 'ZIP', start: 2, end: 7, score: 0.5 };
        const one = await post(`${url}/analyze`, { ...request, text: '😀 12345' });
        expect(one.body).toEqual([{ ...zip, analysis_explanation: null }]);
        const both = await post(`${url}/analyze`, { ...request, text: ['😀 12345', 'x'] });
        expect(both.body).toMatchObject([[zip], []]);
      }));

    test('large texts and many findings are replaced beside the event loop', () =>
      serving(async (url) => {
        const analyzer_results = Array.from({ length: 6000 }, (_, i) => ({
          ...{ start: 10 * i, end: 10 * i + 4, score: 0.5, entity_type: 'A' },
        }));
        const text = 'abcd efgh '.repeat(6000);
        const { body } = await post(`${url}/anonymize`, { text, analyzer_results });
        expect(body.text).toBe('<A> efgh '.repeat(6000));
      }));

    const TEXT = 'hello world, my name is Jane Doe. My number is: 034453334';
    const RESULTS = [
      { start: 24, end: 32, score: 0.8, entity_type: 'NAME' },
      { start: 48, end: 57, score: 0.95, entity_type: 'PHONE_NUMBER' },
    ];

    test.each([
      [
        'replace and redact',
        { PHONE_NUMBER: { type: 'redact' }, NAME: { type: 'replace', new_value: 'ANONYMIZED' } },
        {
          text: 'hello world, my name is ANONYMIZED. My number is: ',
          items: [
            { operator: 'redact', entity_type: 'PHONE_NUMBER', start: 50, end: 50, text: '' },
            { operator: 'replace', entity_type: 'NAME', start: 24, end: 34, text: 'ANONYMIZED' },
          ],
        },
      ],
      [
        'replace as default',
        { DEFAULT: { type: 'replace', new_value: 'ANONYMIZED' } },
        {
          text: 'hello world, my name is ANONYMIZED. My number is: ANONYMIZED',
          items: [
            {
              operator: 'replace',
              entity_type: 'PHONE_NUMBER',
              start: 50,
              end: 60,
              text: 'ANONYMIZED',
            },
            { operator: 'replace', entity_type: 'NAME', start: 24, end: 34, text: 'ANONYMIZED' },
          ],
        },
      ],
    ])('%s answers as the documentation says', (_, anonymizers, expected) =>
      serving(async (url) => {
        const sent = { text: TEXT, anonymizers, analyzer_results: RESULTS };
        expect(await post(`${url}/anonymize`, sent)).toEqual({ status: 200, body: expected });
      }),
    );

    test('types stand in for what no operator is given for, masks keep what they are told to', () =>
      serving(async (url) => {
        const plain = await post(`${url}/anonymize`, { text: TEXT, analyzer_results: RESULTS });
        expect(plain.body.text).toBe(
          'hello world, my name is <NAME>. My number is: <PHONE_NUMBER>',
        );
        const mask = { type: 'mask', masking_char: '*', chars_to_mask: 4, from_end: true };
        const masked = await post(`${url}/anonymize`, {
          text: TEXT,
          analyzer_results: RESULTS,
          anonymizers: { DEFAULT: mask },
        });
        expect(masked.body.text).toBe('hello world, my name is Jane****. My number is: 03445****');
      }));

    test('of findings that overlap nothing is left in the text', () =>
      serving(async (url) => {
        const analyzer_results = [
          { start: 0, end: 8, score: 0.5, entity_type: 'A' },
          { start: 4, end: 12, score: 0.9, entity_type: 'B' },
        ];
        const { body } = await post(`${url}/anonymize`, {
          text: 'abcdefghijklm',
          analyzer_results,
        });
        expect(body.text).toBe('<A><B>m');
      }));
  });
});
