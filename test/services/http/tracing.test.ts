import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { pino } from 'pino';
import { Type } from '../../../proto/typebox.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { createEncoderApp } from '../../../services/encoder/encoder-app.js';
import { NO_CONTENT } from '../../../services/http/answer.js';
import { createApp } from '../../../services/http/app.js';
import { explainInFull } from '../../../services/http/explained-error.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { Metrics } from '../../../services/http/metrics.js';
import { route } from '../../../services/http/route.js';
import { listen, type RunningServer } from '../../../services/http/server.js';
import { createWorld, serve, type World } from '../world.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const CANARY = 'Zephyrine-Quillfeather';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let world: World;
let servers: Servers;
let caller: RunningServer;

beforeAll(async () => {
  provider.register({ propagator: new W3CTraceContextPropagator() });
  world = await createWorld();
  servers = await serve(world);
  const logger = pino({ level: 'silent' });
  const statistics = route({
    method: 'get',
    path: '/asking/{id}',
    summary: 'Asks the pool',
    answer: NO_CONTENT,
    handle: () =>
      new ServiceClient({ baseUrl: urlOf(), token: world.tokens.admin }).json(
        'GET',
        '/v1/statistics',
      ),
  });
  const app = createApp({
    ...{ name: 'encoder', routes: [statistics], openRoutes: [], maxBytes: 1000, logger },
    access: { guard: () => (_request, _response, next) => next() },
    metrics: new Metrics('encoder'),
    explain: explainInFull(logger),
  });
  caller = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
});
afterEach(() => exporter.reset());
afterAll(async () => {
  await caller.close();
  await servers.close();
  world.remove();
  trace.disable();
  context.disable();
  propagation.disable();
});

const urlOf = () => servers.addresses.pool ?? '';
const traced = () =>
  exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    attributes: span.attributes,
    parent: span.parentSpanContext?.spanId,
    ...span.spanContext(),
  }));
/** A span ends once its answer was sent. */
const spansOf = async (count: number) => {
  while (exporter.getFinishedSpans().length < count) await new Promise(setImmediate);
  return traced();
};

describe('the span of a request', () => {
  test('has the route as declared, the status and sizes, and is beneath the caller’s', async () => {
    await fetch(`${urlOf()}/v1/snapshots/${'ab'.repeat(32)}`, {
      headers: {
        Authorization: `Bearer ${world.tokens.admin}`,
        traceparent: `00-${TRACE}-${PARENT}-01`,
      },
    });
    const [span] = await spansOf(1);
    expect(span).toMatchObject({
      name: 'GET /v1/snapshots/:id',
      traceId: TRACE,
      parent: PARENT,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/snapshots/:id',
        'http.response.status_code': 404,
        'error.type': 'not-found',
        'http.response.body.size': expect.any(Number),
      },
    });
  });

  test('holds nothing else that a caller sent', async () => {
    const headers = {
      Authorization: `Bearer ${CANARY}`,
      'User-Agent': CANARY,
      'Content-Type': 'application/json',
      baggage: `patient=${CANARY}`,
      tracestate: `vendor=${CANARY}`,
      traceparent: `00-${TRACE}-${PARENT}-01`,
    };
    const body = JSON.stringify({ name: CANARY });
    for (const path of [`/v1/tokens/${CANARY}`, `/v1/models?search=${CANARY}`, `/${CANARY}`])
      await fetch(urlOf() + path, { method: 'POST', headers, body });
    await spansOf(3);
    const told = exporter.getFinishedSpans().map((span) => {
      const { name, attributes, events, links, resource } = span;
      const { traceState } = span.spanContext();
      return [name, attributes, events, links, resource.attributes, traceState?.serialize()];
    });
    expect(JSON.stringify(told)).not.toContain(CANARY);
  });

  test('of an encoder has no size: that of a note tells how long the names in it are', async () => {
    const logger = pino({ level: 'silent' });
    const named = closedObject({ name: Type.String() });
    const body = validator(named, 'request-invalid', 'the request');
    const echo = route({
      method: 'post',
      path: '/echo',
      summary: 'Answers with what it is sent',
      body,
      answer: { json: named },
      handle: ({ body: sent }) => sent,
    });
    const app = createEncoderApp({ routes: [echo], logger, explain: explainInFull(logger) });
    const encoder = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
    const spans = [];
    for (const name of ['Ana', 'Maximiliana']) {
      const headers = { 'content-type': 'application/json' };
      const sent = await fetch(`${encoder.url}/echo`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name }),
      });
      expect(sent.status).toBe(200);
      const [{ name: called, attributes } = { name: '', attributes: {} }] = await spansOf(1);
      spans.push({ called, attributes });
      exporter.reset();
    }
    await encoder.close();
    expect(spans[1]).toEqual(spans[0]);
  });

  test('is the parent of what another server is asked for it', async () => {
    await fetch(`${caller.url}/asking/one`, {
      headers: { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: `vendor=${CANARY}` },
    });
    const spans = await spansOf(2);
    const asking = spans.find(({ name }) => name === 'GET /asking/:id');
    const asked = spans.find(({ name }) => name === 'GET /v1/statistics');
    expect(asking).toMatchObject({ traceId: TRACE, parent: PARENT });
    expect(asked).toMatchObject({ traceId: TRACE, parent: asking?.spanId });
    expect(asked?.traceState).toBeUndefined();
  });
});
