import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { totalmem } from 'node:os';
import { expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { pino } from 'pino';
import { TacetError } from '../../../proto/errors.js';
import { explainInFull } from '../../../services/http/explained-error.js';
import { Metrics } from '../../../services/http/metrics.js';
import { observe } from '../../../services/http/observation.js';
import type { Site } from '../../../services/http/pages/site.js';
import { SiteAnswers } from '../../../services/http/pages/site-answers.js';
import { answerProblem } from '../../../services/http/problem-answer.js';
import { sendBytes } from '../../../services/http/send-bytes.js';
import { endAfterTests } from '../left-over.js';

const silent = pino({ level: 'silent' });

/** How a service answers programs, and how its pages answer people. */
const asService =
  (bytes: AsyncIterable<Uint8Array>): RequestHandler =>
  async (_request, response) =>
    sendBytes(bytes, response);
const asPages = (bytes: AsyncIterable<Uint8Array>): RequestHandler =>
  new SiteAnswers({} as Site, { explain: explainInFull(silent) }).toAnyone(async ({ response }) => {
    await sendBytes(bytes, response);
    return undefined;
  });

/** Reads from a server that answers so; gives what was counted of it. */
async function counted(
  answered: RequestHandler,
  read: (answer: Response, gone: AbortController) => Promise<unknown>,
): Promise<string[]> {
  const metrics = new Metrics('pool');
  const app = express();
  app.use(observe(silent, metrics));
  app.get('/bytes', answered);
  app.use(answerProblem(explainInFull(silent)));
  const closed = new Promise<void>((resolve) => {
    const { observe: count } = metrics;
    metrics.observe = (each) => {
      count.call(metrics, each);
      resolve();
    };
  });
  const server: Server = app.listen(0, '127.0.0.1');
  endAfterTests(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gone = new AbortController();
  const { signal } = gone;
  await read(await fetch(`http://127.0.0.1:${port}/bytes`, { signal }), gone);
  await closed;
  const lines = (await metrics.registry.metrics()).split('\n');
  return lines.filter((line) => /^tacet_(requests|problems)_total.* [1-9]/.test(line));
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('the first bytes');
  await new Promise(setImmediate);
  throw new TacetError('store-damaged', 'a block differs from its checksum');
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.from('more');
    await new Promise(setImmediate);
  }
}

test.each([
  ['a service', asService],
  ['pages', asPages],
])('an answer that %s cut off counts as the failure for which it does so', async (_, answered) => {
  const lines = await counted(answered(failing()), async (answer) => {
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });
  expect(lines).toEqual([
    expect.stringMatching(/requests_total.*status="500"/),
    expect.stringMatching(/problems_total.*code="store-damaged"/),
  ]);
});

test('an answer whose reader leaves is no failure', async () => {
  const lines = await counted(asService(endless()), async (_answer, gone) => gone.abort());
  expect(lines).toEqual([expect.stringMatching(/requests_total.*status="499"/)]);
});

test('a service tells how much memory it may hold, no more than the machine has', async () => {
  const { values } = (await new Metrics('pool').registry
    .getSingleMetric('tacet_memory_limit_bytes')
    ?.get()) ?? { values: [] };
  expect(values).toHaveLength(1);
  expect(values[0]?.value).toBeGreaterThan(0);
  expect(values[0]?.value).toBeLessThanOrEqual(totalmem());
});
