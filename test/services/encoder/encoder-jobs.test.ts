import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { markupOf } from '../../../platform/pages/markup.js';
import { createEncoderApp } from '../../../services/encoder/encoder-app.js';
import { sendEvents } from '../../../services/encoder/encoder-routes.js';
import type { EncoderOptions } from '../../../services/encoder/encoder-service.js';
import type { JobView } from '../../../services/encoder/jobs.js';
import { JobReport } from '../../../services/encoder/pages/job-report.js';
import { NO_CONTENT } from '../../../services/http/answer.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { route } from '../../../services/http/route.js';
import { listen } from '../../../services/http/server.js';
import { lengthsOf, notesWithRest, outgoing, WORDS } from '../institution/notes.js';
import { ended, NOTES, post, ServedEncoder } from './served-encoder.js';

/** Notes without a labelled entity, as they are. */
const FILES = { input: 'notes.jsonl', withoutPhi: true };

describe('jobs of the encoder', () => {
  const encoder = new ServedEncoder();
  const serving: ServedEncoder['serving'] = (...given) => encoder.serving(...given);

  test('lets notes leave as often as a job asks and the policy allows, and no more often', async () => {
    const asked = async (options: Partial<EncoderOptions>, copies: number) => {
      encoder.moveHome();
      return serving(
        async (url) => {
          const { status, body } = await post(`${url}/v1/jobs`, { ...FILES, copies });
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

  test('ends well over notes that left, says how many sentences stay, and refuses new notes that are too few', async () => {
    const limits = { labelDocuments: 5 };
    await serving(
      async (url) => {
        const asked = async (documents: object[]) => {
          const { body } = await post(`${url}/v1/jobs`, { documents });
          return (await ended(url, body.id)).at(-1);
        };
        const notes = notesWithRest(6, 2);
        expect(await asked(notes)).toMatchObject({
          state: 'done',
          report: { released: 6, withheld: 2, rest: 0 },
        });
        const again = await asked(notes);
        const report = { released: 0, withheld: 2, rest: 2, segments: 0 };
        expect(again).toMatchObject({ state: 'done', report, problem: null });
        expect(markupOf(JobReport({ report: again?.report }))).toContain(
          '2 sentences of notes that left before',
        );
        expect((await post(`${url}/v1/encode`, { documents: notes })).body).toMatchObject(report);
        expect(await asked(notesWithRest(4, 0, 'gamma'))).toMatchObject({
          state: 'failed',
          problem: { code: 'documents-too-few' },
        });
      },
      undefined,
      { limits },
    );
  });

  test('keeps no type that the policy does not allow, or that names somebody', async () => {
    const asked = async (options: Partial<EncoderOptions>, more: object = {}) => {
      encoder.moveHome();
      return serving(
        async (url) => {
          const job = { ...FILES, keep: ['PHI'], ...more };
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
      const { status, body } = await post(`${url}/v1/jobs`, FILES);
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

  test('cancels a waiting job, which releases nothing', () =>
    serving(async (url) => {
      const first = (await post(`${url}/v1/jobs`, FILES)).body;
      const second = (await post(`${url}/v1/jobs`, FILES)).body;
      const answer = await fetch(`${url}/v1/jobs/${second.id}`, { method: 'DELETE' });
      expect(await answer.json()).toMatchObject({
        state: 'cancelled',
        problem: { code: 'interrupted' },
      });
      expect((await ended(url, first.id)).at(-1)).toMatchObject({ state: 'done' });
    }));

  test('goes on with a file job after a restart, and releases nothing twice', async () => {
    await serving(async (_url, service) => {
      await service.encodeFiles(FILES.input, FILES);
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
});
