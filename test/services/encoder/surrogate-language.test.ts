import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Document } from '../../../models/text/document.js';
import { createEncoderApp } from '../../../services/encoder/encoder-app.js';
import { encoderRoutes } from '../../../services/encoder/encoder-routes.js';
import { EncoderService } from '../../../services/encoder/encoder-service.js';
import type { ModelThread } from '../../../services/encoder/model-thread.js';
import { explainByPlace } from '../../../services/http/explained-error.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { listen, type RunningServer } from '../../../services/http/server.js';
import type { DeidentifyOptions } from '../../../services/institution/deidentify/deidentify.js';
import { ReplacedText } from '../../../services/institution/deidentify/replaced-text.js';
import { post } from './served-encoder.js';

const TEXT = 'Alta el 03/04/2020.';
const DATE = { type: 'DATE', start: 8, end: 18, confidence: 1 };
const TRIES = 20;
const logger = pino({ level: 'silent' });
const explain = explainByPlace(logger);

/** Finds the date of the text above. */
const models = {
  identities: { model: undefined, pipeline: { types: ['DATE'] }, beside: [] },
  call: async (
    _name: string,
    { document, how }: { document: Document; how: DeidentifyOptions },
  ) => {
    const replaced = new ReplacedText(document.text, [DATE], how);
    const spans = [{ ...replaced.replace(DATE), confidence: 1 }];
    return { ...document, text: replaced.end(), spans, found: [DATE] };
  },
} as unknown as ModelThread;

let home: string;
let service: EncoderService;
let server: RunningServer;

const serviceFor = (languages: readonly string[]) =>
  EncoderService.open({ ...{ home, models, limits: {}, approval: {}, languages, explain } });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tacet-language-'));
  service = await serviceFor(['fr', 'es-MX']);
  const app = createEncoderApp({ routes: encoderRoutes(service), logger, explain });
  server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
});
afterAll(async () => {
  await service.close();
  await server.close();
  await rm(home, { recursive: true });
});

/** The second numbers of the dates in so many answers. */
async function secondNumbers(path: string, body: unknown): Promise<number[]> {
  const answers: unknown[] = [];
  for (let i = 0; i < TRIES; i++) answers.push(await post(server.url + path, body));
  const dates = JSON.stringify(answers).matchAll(/\d\d\/(\d\d)\/20(?:18|19|20|21)/g);
  return [...dates].map(([, second]) => Number(second));
}

test('surrogates are of the language that the pipeline reads, unless a request names one', async () => {
  const documents = [{ text: TEXT }];
  const resource = { resourceType: 'DiagnosticReport', conclusion: TEXT };
  const data = { resourceType: 'Bundle', type: 'collection', entry: [{ resource }] };
  const parameter = [
    { name: 'policy', valueString: 'surrogate' },
    { name: 'identifiableData', resource: data },
  ];
  const asked = { documents, policy: 'surrogate' };
  for (const months of [
    await secondNumbers('/v1/deidentify', asked),
    await secondNumbers('/$de-identify', { resourceType: 'Parameters', parameter }),
  ]) {
    expect(months).toHaveLength(TRIES);
    expect(Math.max(...months)).toBeLessThanOrEqual(12);
  }
  const days = await secondNumbers('/v1/deidentify', { ...asked, language: 'en' });
  expect(Math.max(...days)).toBeGreaterThan(12);
});

test('surrogates of a language that there are none of are refused, where a request names no other', async () => {
  const french = await serviceFor(['fr']);
  const note = { id: 'note', text: TEXT, spans: [] };
  const deidentify = (how: DeidentifyOptions) =>
    french.deidentify(note, how, new AbortController().signal);
  await expect(deidentify({ treatment: 'surrogate' })).rejects.toMatchObject({
    code: 'request-invalid',
    message: expect.stringContaining('(fr)'),
  });
  expect(await deidentify({ treatment: 'surrogate', language: 'es' })).toHaveProperty('text');
  expect(await deidentify({ treatment: 'tag' })).toHaveProperty('text');
  await french.close();
});

test.each([undefined, 'en'] as const)(
  'dates are read as in the region that the pipeline reads, where a request names %s',
  async (language) => {
    const british = await serviceFor(['en-GB']);
    const shift = { days: 40, years: 1 };
    const how = { treatment: 'surrogate', language, shift } as const;
    const note = { id: 'note', text: TEXT, spans: [] };
    const { text } = await british.deidentify(note, how, new AbortController().signal);
    expect(text).toBe('Alta el 13/05/2020.');
    await british.close();
  },
);
