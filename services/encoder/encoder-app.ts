import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { type Logger, pino } from 'pino';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import { TacetError } from '../../proto/errors.js';
import type { Validator } from '../../proto/validator.js';
import { describeRoutes } from '../http/openapi.js';
import { answerNotFound, answerProblem, expectedError } from '../http/problem-answer.js';
import type { Method, OpenRoute, Route } from '../http/route.js';
import {
  type PresidioService,
  presidioAnswer,
} from '../institution/deidentify/presidio/presidio-error.js';

/** One operation of the encoder. */
export interface EncoderRoute<Body = unknown> {
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly summary: string;
  readonly body?: Validator<Body>;
  /** The status of success, 200 unless stated. */
  readonly success?: number;
  /** Errors as `{"error": "..."}` with the status of this service, which Presidio's clients read. */
  readonly presidioErrors?: PresidioService;
  /** Writes its answer bit by bit, so that a connection on which nothing moves is one that is gone. */
  readonly streams?: boolean;
  /** Returns the answer's JSON, or undefined where it answered by itself. */
  handle(call: EncoderCall<Body>): unknown;
}

export interface EncoderCall<Body = unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Body;
  /** Aborted where the client goes away before its answer. */
  readonly signal: AbortSignal;
  readonly response: Response;
}

export interface EncoderAppOptions {
  readonly routes: readonly EncoderRoute[];
  /** The bearer token that callers send; without one, only this machine's own programs are served. */
  readonly token?: string | undefined;
  /** Throws while the service should be sent no requests. */
  readonly requireReady?: (() => void) | undefined;
  readonly logger: Logger;
}

const MAX_JSON_BYTES = 64 * 1024 * 1024;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const SILENT = pino({ level: 'silent' });

/** Lets TypeScript infer the type of the body, and then forgets it. */
export function encoderRoute<Body>(definition: EncoderRoute<Body>): EncoderRoute {
  return definition as EncoderRoute;
}

/** The encoder's Express application. No body, path parameter or message of an error is ever logged. */
export function createEncoderApp({
  routes,
  token,
  requireReady,
  logger,
}: EncoderAppOptions): Express {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'tacet_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const open = openRoutes(() => document, requireReady);
  const all = [metricsRoute(registry), ...routes];
  const document = describeRoutes('encoder', all.map(describable), open);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(observe(logger, requests));
  for (const { path, handle } of open)
    app.get(path, async (_request, response) => handle(response));
  const readJson = express.json({ limit: MAX_JSON_BYTES, inflate: false, strict: true });
  for (const route of all) {
    app[route.method](
      route.path.replace(/\{(\w+)\}/g, ':$1'),
      allow(token),
      ...(route.body ? [readJson] : []),
      answer(route),
      ...(route.presidioErrors ? [presidioProblem(logger, route.presidioErrors)] : []),
    );
  }
  app.use(answerNotFound);
  app.use(problem(logger));
  return app;
}

function answer(route: EncoderRoute): RequestHandler {
  return async (request, response) => {
    const controller = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished)
        controller.abort(new TacetError('interrupted', 'the client went away'));
    });
    const body = route.body?.(request.body);
    const { socket } = request;
    const { timeout = 0 } = socket;
    // However long the answer is worked on, nothing moves on the connection meanwhile.
    if (!route.streams) socket.setTimeout(0);
    let result: unknown;
    try {
      const params = request.params as Record<string, string>;
      const { query } = request;
      const { signal } = controller;
      result = await route.handle({ params, query, body, signal, response });
    } finally {
      socket.setTimeout(timeout);
    }
    if (response.headersSent) return;
    response.status(route.success ?? 200);
    if (result === undefined) response.end();
    else response.json(result);
  };
}

/**
 * With a token: whoever holds it. Without: programs of this machine, but no web page that a browser
 * here shows, whatever name it gives to this address (DNS rebinding).
 */
function allow(token: string | undefined): RequestHandler {
  const expected = token === undefined ? undefined : sha256(token);
  return (request, response, next) => {
    if (expected) {
      const [, given = ''] =
        /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '') ?? [];
      // Constant time, so that the answer's delay tells nothing about the token.
      if (!timingSafeEqual(sha256(given), expected)) {
        response.set('WWW-Authenticate', 'Bearer');
        throw new TacetError('unauthorized', 'send the token as "Authorization: Bearer TOKEN"');
      }
    } else if (request.headers.origin !== undefined || !LOOPBACK.test(request.headers.host ?? '')) {
      throw new TacetError('forbidden', 'without a token only programs of this machine are served');
    }
    next();
  };
}

function observe(logger: Logger, requests: Counter<'method' | 'route' | 'status'>): RequestHandler {
  return (request, response, next) => {
    const startMs = performance.now();
    const id = randomUUID();
    response.set({
      'X-Request-Id': id,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'",
    });
    response.once('close', () => {
      const { method } = request;
      const route = routeOf(request);
      const status = response.writableFinished ? response.statusCode : 499;
      requests.inc({ method, route, status });
      logger.info({ id, method, route, status, ms: Math.round(performance.now() - startMs) });
    });
    next();
  };
}

/** As other services answer errors, but for the log: a message could hold text, a place cannot. */
function problem(logger: Logger): ErrorRequestHandler {
  const answerSilently = answerProblem(SILENT);
  return (error, request, response, next) => {
    logUnexpected(error, logger);
    return answerSilently(error, request, response, next);
  };
}

function presidioProblem(logger: Logger, service: PresidioService): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    logUnexpected(error, logger);
    const { status, message } = presidioAnswer(error, service, expectedError(error));
    response.status(status).json({ error: message });
  };
}

export function logUnexpected(error: unknown, logger: Logger): void {
  if (expectedError(error).code !== 'internal') return;
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line));
  logger.error({ places }, 'unexpected failure');
}

/** Asks for the token as every route does: how much is encoded and when is nobody else's business. */
function metricsRoute(registry: Registry): EncoderRoute {
  return encoderRoute({
    method: 'get',
    path: '/metrics',
    summary: 'Metrics in the format of Prometheus',
    handle: async ({ response }) => {
      const text = await registry.metrics();
      response.type(registry.contentType).send(text);
    },
  });
}

function openRoutes(document: () => unknown, requireReady: () => void = () => {}): OpenRoute[] {
  const ok = (response: Response) => void response.json({ status: 'ok' });
  return [
    { path: '/livez', summary: 'Whether the process answers', handle: ok },
    {
      path: '/readyz',
      summary: 'Whether models are loaded and may be used',
      handle: (response) => {
        try {
          requireReady();
          ok(response);
        } catch (error) {
          const { code } = expectedError(error);
          response.status(503).json({ status: 'not ready', code });
        }
      },
    },
    {
      path: '/health',
      summary: "As Presidio's health check",
      handle: (response) => void response.type('text').send('Presidio Analyzer service is up'),
    },
    {
      path: '/openapi.json',
      summary: 'This document',
      handle: (response) => void response.json(document()),
    },
  ];
}

function describable({ method, path, summary, body, success }: EncoderRoute): Route {
  return {
    method,
    path,
    summary,
    roles: [],
    ...(body && { body }),
    ...(success !== undefined && { success }),
    handle: () => undefined,
  };
}

function routeOf(request: Request): string {
  const { path } = (request.route ?? {}) as { path?: string };
  return path ?? 'none';
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
